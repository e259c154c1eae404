import { hrefOf } from '../../../around/routes/addresses.ts'
import type { TurnPlace } from './fold-told.ts'
import type { Node } from './nodes.ts'

/** Where all of something is shown; undefined: it is all here. */
export function hrefOfNode(
  { about }: Node,
  { sessionId: session, turnId: turn }: TurnPlace,
): string | undefined {
  const { run, callId, child } = about
  if (run !== undefined) return hrefOf('run', { runId: run.id })
  if (callId !== undefined) return hrefOf('call', { callId, session, turn })
  if (child?.sessionId === undefined || child.turnId === undefined) {
    return undefined
  }
  const { sessionId, turnId } = child
  return hrefOf('turn', { sessionId, turnId })
}

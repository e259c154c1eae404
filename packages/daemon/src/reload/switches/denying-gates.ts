import { type Hook, type Point, reject } from 'hookline'
import { sessionStart, toolPreCall, turnPreTurn } from 'hookline/lifecycle'

/** Whether its answer can stop something. */
export function isGate({ on, execution, disabled }: Hook): boolean {
  if (disabled === true || on.flow === 'observe') return false
  if (execution === 'record' || execution === 'background') return false
  return on.answers.has('reject')
}

/** The id of the handler that denies in place of another. */
export const closedGate = 'hookline.closed'

/** A gate that denies all that another would have judged. */
export function denyingGate(
  gate: Pick<Hook, 'name' | 'on' | 'match' | 'mode' | 'visibility'>,
  reason: string,
): Hook {
  const { name, on, match, mode, visibility } = gate
  return {
    name,
    on,
    ...(match !== undefined && { match }),
    ...(mode !== undefined && { mode }),
    ...(visibility !== undefined && { visibility }),
    handler: { id: closedGate, kind: 'builtin' },
    run: () => reject(reason),
  }
}

/** Nobody knows what the managed gates are: no session goes on. */
export function closedGates(reason: string): readonly Hook[] {
  const points: readonly Point[] = [sessionStart, turnPreTurn, toolPreCall]
  return points.map((on) =>
    denyingGate({ name: `hookline:closed:${on.name}`, on }, reason),
  )
}

import {
  type FoundCall,
  findCalls,
  findTurnEvents,
  getTurn,
  traceTurn,
  type CallExplanation as WholeExplanation,
  whyCall,
} from '@hookline/agent/durable'
import type { Caller } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { InputOf } from '../../protocol/operations.ts'
import type {
  CallExplanation,
  TracedTurn,
} from '../../protocol/schemas/records.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { plainData } from '../plain-data.ts'
import { maySee, seesAll } from '../visibility.ts'
import { listedRun } from './listed-run.ts'
import type { RunSource } from './open-run.ts'
import { readTraceCursor, writeTraceCursor } from './run-cursor.ts'

export function traceOperations(
  source: Pick<RunSource, 'store'>,
): Pick<OperationService, 'whyCall' | 'traceTurn'> {
  const { parts } = source.store
  return {
    async whyCall(input, { caller }) {
      const found = await findOne(source, input)
      const { sessionId, turnId } = found
      // By the id that was given: what is kept of it may be redacted.
      const which = { sessionId, turnId, callId: input.callId }
      const explained = await whyCall(parts, which)
      if (explained === undefined) throw noCall(input)
      return explanationFor(caller, explained)
    },
    async traceTurn({ sessionId, turnId, after, limit = 1_000 }, { caller }) {
      const turn = await getTurn(parts, sessionId, turnId)
      if (turn === undefined) {
        const message = `There is no turn "${turnId}" in session "${sessionId}"; "hookline sessions show" lists its turns.`
        throw new ProtocolError('not-found', message)
      }
      const isFirst = after === undefined
      const place = isFirst ? {} : { after: readTraceCursor(after) }
      const which = { sessionId, turnId, limit, ...place }
      const [trace, events] = await Promise.all([
        traceTurn(parts, which),
        isFirst ? findTurnEvents(parts, turn) : undefined,
      ])
      const { calls, runs, next, isCut } = trace
      const seen = runs.filter((run) => maySee(caller, run.visibility))
      const told = {
        turn,
        calls: isFirst ? calls : [],
        runs: seen.map((run) => listedRun(run, caller)),
        hidden: runs.length - seen.length,
        isCut,
        next: next && writeTraceCursor(next),
        events,
      }
      // A trace has these very names; what is undefined is left out.
      return plainData(told) as unknown as TracedTurn
    },
  }
}

type Wanted = InputOf<'whyCall'>

/** Ids of calls are the models': two sessions may have the same. */
async function findOne(
  { store }: Pick<RunSource, 'store'>,
  { callId, sessionId, turnId }: Wanted,
): Promise<Pick<FoundCall, 'sessionId' | 'turnId'>> {
  if (sessionId !== undefined && turnId !== undefined) {
    return { sessionId, turnId }
  }
  const [first, ...others] = await findCalls(store.parts, {
    callId,
    ...(sessionId !== undefined && { sessionId }),
    ...(turnId !== undefined && { turnId }),
  })
  if (first === undefined) throw noCall({ callId })
  if (others.length === 0) return first
  const found = [first, ...others]
  const message = `${found.length} calls have the id "${callId}"; say in which session and turn it is.`
  const problems = found.map((call) => ({
    path: `${call.sessionId}/${call.turnId}`,
    message: `"${call.tool}" in turn "${call.turnId}" of session "${call.sessionId}", ${new Date(call.startedAt).toISOString()}`,
  }))
  throw new ProtocolError('conflict', message, { problems })
}

function noCall({ callId }: Wanted): ProtocolError {
  const message = `There is no call "${callId}" in the newest turns; name its session and turn if it is older.`
  return new ProtocolError('not-found', message)
}

/** Of hooks that its caller may not see it says only that there are some. */
function explanationFor(
  caller: Caller,
  explained: WholeExplanation,
): CallExplanation {
  const verdicts = explained.verdicts.filter((verdict) =>
    maySee(caller, verdict.visibility),
  )
  const hidden = explained.verdicts.length - verdicts.length
  const { decidedBy, ...rest } = explained
  const { kind, name } = decidedBy ?? {}
  const isSeen =
    kind !== 'hook' ||
    seesAll(caller) ||
    verdicts.some(({ hook }) => hook === name)
  const decider = isSeen ? decidedBy : { kind }
  const told = { ...rest, verdicts, hidden, decidedBy: decider }
  // An explanation has these very names; what is undefined is left out.
  return plainData(told) as unknown as CallExplanation
}

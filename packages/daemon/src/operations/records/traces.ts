import {
  findTurnEvents,
  getTurn,
  type TurnTrace,
  traceTurn,
  type CallExplanation as WholeExplanation,
  whyCall,
} from '@hookline/agent/durable'
import type { Visibility } from 'hookline'
import type { Caller } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type {
  CallExplanation,
  TracedTurn,
} from '../../protocol/schemas/records.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { seesAll } from '../../service/visible-hooks.ts'
import { plainData } from '../plain-data.ts'
import { maySee } from '../visibility.ts'
import { findOneCall, noCall } from './find-one-call.ts'
import { listedRun } from './listed-run.ts'
import type { RunSource } from './open-run.ts'
import { readTraceCursor, writeTraceCursor } from './run-cursor.ts'

export function traceOperations(
  source: Pick<RunSource, 'store'>,
): Pick<OperationService, 'whyCall' | 'traceTurn'> {
  const { parts } = source.store
  return {
    async whyCall(input, { caller }) {
      const { sessionId, turnId } = await findOneCall(source, input)
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
        calls: isFirst ? calls.map((call) => tracedFor(caller, call)) : [],
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

function tracedFor(
  caller: Caller,
  { approverVisibility, ...call }: TurnTrace['calls'][number],
) {
  return callFor(caller, call, approverVisibility)
}

type Approved = Pick<WholeExplanation, 'approvedBy'>

/** `visibility`: of the hook that agreed to it, where it was one. */
function callFor<Call extends Approved>(
  caller: Caller,
  call: Call,
  visibility: Visibility | undefined,
) {
  const { approvedBy } = call
  if (approvedBy?.kind !== 'hook' || maySee(caller, visibility)) return call
  return { ...call, approvedBy: { kind: approvedBy.kind } }
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
  const { visibility } = approverIn(explained) ?? {}
  const call = callFor(caller, rest, visibility)
  const told = { ...call, verdicts, hidden, decidedBy: decider }
  // An explanation has these very names; what is undefined is left out.
  return plainData(told) as unknown as CallExplanation
}

function approverIn({ approvedBy, verdicts }: WholeExplanation) {
  return verdicts.findLast(
    ({ point, hook }) =>
      point === 'permission.request' && hook === approvedBy?.name,
  )
}

import type { SealedCall, ToolCall } from 'hookline/lifecycle'
import type {
  CallEnded,
  CallSealed,
  CallWaiting,
  JournalEntry,
  TurnEnded,
} from '../../ports/store.ts'
import { useApproval, voidTurn } from '../approvals/index.ts'
import type { SqlValue, Statement } from '../database.ts'
import { endMessage } from '../inbox/statements.ts'
import type { StoreParts } from '../parts.ts'
import {
  endCall,
  endTurn,
  noteStep,
  openCall,
  startTurn,
} from './statements.ts'

/** What an entry changes of the tables in which turns and calls are looked up. */
export function projectEntry(
  entry: JournalEntry,
  sessionId: string,
  parts: StoreParts,
): readonly Statement[] {
  const { redactor } = parts
  switch (entry.type) {
    case 'turn-start': {
      const { turnId, turn, inputId, origin } = entry
      const input = inputId === undefined ? null : redactor.text(inputId)
      const values = [turnId, turn, input, origin, sessionId]
      return [{ sql: startTurn, values }]
    }
    case 'step-open': {
      const values = [entry.step, entry.turnId, sessionId]
      return [{ sql: noteStep, values }, ...endTaken(entry)]
    }
    case 'call-wait':
    case 'call-seal':
      return [
        { sql: openCall, values: openValues(entry, sessionId, parts) },
        ...usedApproval(entry),
      ]
    case 'call-end':
      return [{ sql: endCall, values: endValues(entry, sessionId, parts) }]
    case 'turn-end':
      return [
        { sql: endTurn, values: turnValues(entry, sessionId, parts) },
        voidTurn(sessionId, entry.turnId),
        ...endTaken(entry),
      ]
    case 'step-commit':
      return endTaken(entry)
    case 'turn-resume':
    case 'compaction':
    case 'session-end':
      return []
  }
}

/** What was left for the session is done with the words that it brought. */
function endTaken({ taken = [] }: Pick<TurnEnded, 'taken'>) {
  return taken.map((id): Statement => ({ sql: endMessage, values: [null, id] }))
}

/** An approval is used up by the very call that it was given for, once. */
function usedApproval(entry: CallWaiting | CallSealed): readonly Statement[] {
  if (entry.type !== 'call-seal' || entry.approvalId === undefined) return []
  return [useApproval(entry.approvalId, entry.call.seal)]
}

function openValues(
  entry: CallWaiting | CallSealed,
  sessionId: string,
  parts: StoreParts,
): readonly SqlValue[] {
  const { redactor } = parts
  const isSealed = entry.type === 'call-seal'
  const call: SealedCall = isSealed ? entry.call : entry.question.call
  const { approvedBy } = isSealed ? entry : {}
  const { key, named, payload } = callParts(
    entry.turnId,
    call,
    sessionId,
    parts,
  )
  return [
    ...key,
    ...named,
    isSealed ? 'sealed' : 'waiting',
    call.seal,
    isSealed ? entry.table : null,
    JSON.stringify(redactor.data(call.grant)),
    JSON.stringify(isSealed ? entry.verdicts : []),
    isSealed && entry.isUngated ? 1 : 0,
    approvedBy?.kind ?? null,
    approvedBy === undefined ? null : nameOf(approvedBy, parts),
    payload,
  ]
}

function endValues(
  { turnId, ended, verdicts = [], decidedBy }: CallEnded,
  sessionId: string,
  parts: StoreParts,
): readonly SqlValue[] {
  const { call, result, status, elapsedMs } = ended
  const { key, named, payload } = callParts(turnId, call, sessionId, parts)
  const error = result.isError ? result.error : null
  const { kind = null, name } = decidedBy ?? {}
  const decider = name === undefined ? null : nameOf({ kind, name }, parts)
  const judged = JSON.stringify(verdicts)
  const end = [status, error, kind, decider, judged, elapsedMs, payload]
  return [...key, ...named, ...end]
}

function callParts(
  turnId: string,
  call: ToolCall,
  sessionId: string,
  { redactor, payloads }: StoreParts,
) {
  const { id, tool, owner, safety } = call
  // A model chooses ids and names, so they can be anything.
  const key = [turnId, redactor.text(id), sessionId] as const
  return {
    key,
    named: [redactor.text(tool), redactor.text(owner), safety],
    payload: payloads.write(call, ['calls', ...key]),
  }
}

/** Names of hooks are those in the records of their runs, letter by letter. */
function nameOf(
  { kind, name }: { readonly kind: string | null; readonly name: string },
  { redactor }: StoreParts,
): string {
  return kind === 'hook' ? name : redactor.text(name)
}

function turnValues(
  { turnId, status, summary, isOwed = false }: TurnEnded,
  sessionId: string,
  { redactor, worker }: StoreParts,
): readonly SqlValue[] {
  const { model, steps, toolCount, usage, elapsedMs, errorPreview } = summary
  const { inputTokens, outputTokens } = usage
  const used = [inputTokens, outputTokens, summary.cost ?? null]
  const counts = [steps, toolCount, ...used]
  const error = errorPreview === undefined ? null : redactor.text(errorPreview)
  const named = [status, redactor.text(model), elapsedMs]
  const owedBy = isOwed ? worker : null
  return [...named, ...counts, error, owedBy, turnId, sessionId]
}

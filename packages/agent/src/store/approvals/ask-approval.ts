import type { PermissionQuestion } from 'hookline/lifecycle'
import { type AskOptions, Suspension } from '../../ports/approvals.ts'
import { topics } from '../signals/signals.ts'
import {
  answerOf,
  deny,
  type StoredAnswer,
  said,
  unanswered,
} from './answer-of.ts'
import { approvalOf, type ReadRow } from './approval-row.ts'
import type { Watched } from './approval-watch.ts'
import { type Desk, type FoundApproval, find } from './desk.ts'
import { voidApproval, voidChanged, voidOthers } from './end-statements.ts'
import { newApproval } from './new-approval.ts'
import { noteExpiry } from './note-expiry.ts'
import { findDenied, insertApproval } from './statements.ts'

/**
 * Puts a question, or goes on with one that was put before: by its id, wherever
 * that was. Settles when it has an answer, or can have none any more.
 */
export async function askApproval(
  desk: Desk,
  question: PermissionQuestion,
  options: AskOptions,
): Promise<StoredAnswer> {
  const { signal } = options
  signal.throwIfAborted()
  // Before anything is written: nobody can answer sooner.
  const watched = desk.watch.watch(question.id)
  const onAbort = () => watched.tell()
  signal.addEventListener('abort', onAbort)
  try {
    const refusal = await putQuestion(desk, question, options)
    return refusal ?? (await untilAnswered(desk, question, { signal, watched }))
  } finally {
    signal.removeEventListener('abort', onAbort)
    watched.end()
  }
}

/** Why it cannot be put, if it cannot. */
async function putQuestion(
  desk: Desk,
  question: PermissionQuestion,
  { scope }: AskOptions,
): Promise<StoredAnswer | undefined> {
  const { parts, settings, watch } = desk
  const known = await find(desk, question.id)
  if (known !== undefined) return goOnWith(desk, question)
  const row = await newApproval(desk, question, scope)
  const denied = await deniedBefore(desk, row)
  if (denied !== undefined) return denied
  const others = row.turn_id === '' ? [] : [voidOthers(row)]
  const statements = [insertApproval(row, settings.maxOpen), ...others]
  const unit = { name: 'approval.ask', statements }
  const [inserted, voided] = await parts.database.write(unit)
  for (const { id } of voided?.rows ?? []) watch.tell(String(id))
  if (inserted?.changes === 1) {
    announce(desk, row)
    return undefined
  }
  const other = await find(desk, question.id)
  if (other !== undefined) return goOnWith(desk, question)
  const text = `${settings.maxOpen} questions of this session are open already, so this is denied. Wait for their answers.`
  return unanswered(text)
}

/** What was given for another call is not given for this one. */
async function goOnWith(
  { parts }: Desk,
  { id, call }: PermissionQuestion,
): Promise<undefined> {
  const statements = [voidChanged(id, call.seal)]
  await parts.database.write({ name: 'approval.void', statements })
}

/** A no holds for a while, so that nobody is asked until they say yes. */
async function deniedBefore(
  { parts, settings }: Desk,
  row: ReadRow,
): Promise<StoredAnswer | undefined> {
  const { coolDownMs } = settings
  if (coolDownMs === 0) return undefined
  const [denied] = await parts.database.read(findDenied(row, coolDownMs))
  if (denied === undefined) return undefined
  const { reason, decided_by } = denied
  const text = `The same call was denied a short while ago: ${reason ?? 'no reason was given.'}`
  const answer = deny(text, String(decided_by))
  return reason === null ? answer : said(answer)
}

function announce({ parts, settings, listeners }: Desk, row: ReadRow): void {
  parts.signals?.tell(topics.approvals)
  const approval = approvalOf(row)
  for (const listener of [settings.onQuestion, ...listeners]) {
    try {
      listener?.(approval)
    } catch (error) {
      // It is open and listed, whoever has or has not heard of it.
      settings.alarm({ type: 'failed', doing: 'onQuestion', error })
    }
  }
}

interface Waiting {
  readonly signal: AbortSignal
  readonly watched: Watched
}

async function untilAnswered(
  desk: Desk,
  { id, call }: PermissionQuestion,
  { signal, watched }: Waiting,
): Promise<StoredAnswer> {
  for (;;) {
    const looked = await look(desk, id)
    if (signal.aborted) await giveUp(desk, id, signal.reason)
    signal.throwIfAborted()
    if (looked.type === 'seen') {
      const { found } = looked
      const answer = answerOf(found, call.seal)
      if (found !== undefined) await noteExpiry(desk, found)
      if (answer !== undefined) return answer
    }
    await watched.news()
  }
}

type Looked =
  | { readonly type: 'seen'; readonly found: FoundApproval | undefined }
  | { readonly type: 'failed' }

/** A database that is away for a while is no answer. */
async function look(desk: Desk, id: string): Promise<Looked> {
  try {
    return { type: 'seen', found: await find(desk, id) }
  } catch (error) {
    desk.settings.alarm({ type: 'failed', doing: 'approval.read', error })
    return { type: 'failed' }
  }
}

/** Nobody waits any more; unless somebody will again, the question is void. */
async function giveUp(
  { parts, settings }: Desk,
  id: string,
  reason: unknown,
): Promise<void> {
  if (reason instanceof Suspension) return
  try {
    const statements = [voidApproval(id, 'The question was withdrawn.')]
    await parts.database.write({ name: 'approval.void', statements })
  } catch (error) {
    settings.alarm({ type: 'failed', doing: 'approval.void', error })
  }
}

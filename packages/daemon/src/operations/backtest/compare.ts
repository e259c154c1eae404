import type { StoredRun } from '@hookline/agent/durable'
import type { FailurePolicy } from 'hookline'
import type { Tried } from './trial.ts'

type Contributed = readonly { readonly kind: string; readonly hash: string }[]

/** What a hook said, or what came of it when it said nothing valid. */
interface Said {
  readonly answer: string
  readonly contributed: Contributed
}

interface Compared {
  readonly before: string
  readonly now: string
  readonly isChanged: boolean
}

/** What would have been different, had the hook been asked as it is now. */
export function compare(
  runs: readonly StoredRun[],
  hook: string,
  { record }: Tried,
): Compared {
  const now = saidNow(record)
  const own = runs.find((run) => run.hook === hook)
  if (own !== undefined && own.state !== 'skipped') {
    const before = saidBefore(own)
    const isChanged =
      before.answer !== now.answer || listOf(before) !== listOf(now)
    return { before: wordsOf(before), now: wordsOf(now), isChanged }
  }
  return besideOthers(runs, now)
}

/** It was not asked then: what counts is what others came to without it. */
function besideOthers(runs: readonly StoredRun[], now: Said): Compared {
  const decided = runs.find((run) => run.decided)
  const asked = runs.find((run) => run.answer === 'ask' && isEnforced(run))
  const other = decided ?? asked
  const before =
    other === undefined ? 'proceed' : `${answerOf(other)} by "${other.hook}"`
  const isSilent = now.answer === 'proceed' && now.contributed.length === 0
  const wasRefused = other !== undefined && answerOf(other) === 'reject'
  const isSame = other !== undefined && answerOf(other) === now.answer
  const isChanged = !isSilent && !wasRefused && !isSame
  return { before, now: wordsOf(now), isChanged }
}

function saidBefore(run: StoredRun): Said {
  return { answer: answerOf(run), contributed: run.contributions }
}

function saidNow(record: Tried['record']): Said {
  if (record === undefined) return { answer: 'proceed', contributed: [] }
  return { answer: answerOf(record), contributed: record.contributions }
}

interface Answered {
  readonly answer: string | undefined
  readonly state: string
  readonly failure: { readonly code: string } | undefined
  readonly policy: FailurePolicy | undefined
}

const policies = {
  closed: 'reject',
  open: 'proceed',
  fallback: 'proceed',
  required: 'error',
} as const

function answerOf({ answer, state, failure, policy }: Answered): string {
  if (answer !== undefined) return answer
  if (policy !== undefined) return policies[policy]
  return failure === undefined ? 'proceed' : state
}

function isEnforced({ mode }: StoredRun): boolean {
  return mode !== 'evaluate'
}

function listOf({ contributed }: Said): string {
  return contributed
    .map(({ kind, hash }) => `${kind} ${hash}`)
    .sort()
    .join('\n')
}

function wordsOf({ answer, contributed }: Said): string {
  if (contributed.length === 0) return answer
  const kinds = [...new Set(contributed.map(({ kind }) => kind))].join(', ')
  return `${answer}, with ${contributed.length} of ${kinds}`
}

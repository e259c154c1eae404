import { blockedAt } from './blocked-at.ts'
import type { AnyContext, ForeignHook } from './dialect.ts'
import type { DialectFacts, HandlerEnd, MomentTest } from './dialect-facts.ts'
import { isTimedOut } from './handler-ends.ts'
import type { World } from './kind.ts'
import type { Spoken } from './merge-verdicts.ts'
import type { Moment } from './moment.ts'
import { readEnd } from './read-end.ts'
import { blocks, narrows, refusing } from './refusal.ts'
import { type HandlerRun, runHandler } from './run-handler.ts'
import { type Verdict, withLapse } from './verdict.ts'
import { words } from './words.ts'

/** A hook with what is known of it before it runs. */
export interface PlannedHook {
  readonly hook: ForeignHook
  readonly isMeant: MomentTest
  /** Absent: whatever is meant is meant for certain. */
  readonly isSurelyMeant: MomentTest | undefined
  readonly timeoutMs: number
  readonly dedupeKey: string | undefined
}

export interface Asking {
  readonly facts: DialectFacts
  readonly world: World
  readonly context: AnyContext
}

/** Time for our own answer, when a handler has used up all that there is. */
const marginMs = 1_500

/** Asks one hook, and says for the record what came of it. */
export async function askOne(
  { hook, timeoutMs, isSurelyMeant }: PlannedHook,
  moment: Moment,
  { facts, world, context }: Asking,
): Promise<Spoken> {
  const { parts } = world
  const distrust = parts.checkTrust?.(hook, moment.cwd)
  if (distrust !== undefined)
    return refuseUntrusted(hook, moment, { facts, distrust })
  if (facts.isAsync?.(hook, moment)) {
    const run = { facts, parts, hook, moment, context, timeoutMs }
    void tellLater(run, world)
    return { hook, verdict: {} }
  }
  const leftMs = Math.max(1, context.remainingMs - marginMs)
  const isCut = leftMs < timeoutMs
  const { signal } = context
  const givenMs = Math.min(timeoutMs, leftMs)
  const run = {
    facts,
    parts,
    hook,
    moment,
    context,
    timeoutMs: givenMs,
    signal,
  }
  const startedMs = performance.now()
  const end = await runHandler(run)
  tell(context, hook, end, performance.now() - startedMs)
  if (end.type === 'failure' && end.failure.code === 'untrusted') {
    const { message: distrust } = end.failure
    return refuseUntrusted(hook, moment, { facts, distrust })
  }
  // The product would have gone on waiting, which is no reason to agree.
  const isTooSoon = isCut && isTimedOut(end)
  const read = readEnd(end, { facts, hook, moment })
  const settled = settle(read, { hook, moment, facts, world, end, isTooSoon })
  const isDoubted =
    settled.decision === 'allow' && isSurelyMeant?.(moment) === false
  const verdict = isDoubted ? withoutAllow(settled, hook) : settled
  if (!isTooSoon) return { hook, verdict }
  const message = `${hook.id} may take ${timeoutMs} ms, but the dispatch had only ${Math.round(leftMs)} ms left.`
  return { hook, verdict: withLapse(verdict, 'cut-time', message) }
}

/** Of what nobody knows whether it is meant, nothing is allowed. */
function withoutAllow(verdict: Verdict, { id }: ForeignHook): Verdict {
  const { decision: _, reason: __, ...rest } = verdict
  const message = `${id} has allowed nothing: its matcher took too long to be tried.`
  return withLapse(rest, 'not-honoured', message)
}

/** A gate that may not run refuses, whatever the product would make of it. */
function refuseUntrusted(
  hook: ForeignHook,
  moment: Moment,
  { facts, distrust }: { facts: DialectFacts; distrust: string },
): Spoken {
  const blocked =
    facts.blocked?.(distrust, hook, moment) ?? blockedAt(moment, distrust)
  return { hook, verdict: withLapse(blocked, 'untrusted', distrust) }
}

/** What a handler that nobody waits for says is told when there is a moment. */
async function tellLater(run: HandlerRun, { memory }: World): Promise<void> {
  const { facts, parts, hook, moment } = run
  const later = memory.laterOf(moment.scope.sessionId ?? '')
  const end = await runHandler(run)
  const verdict = readEnd(end, { facts, hook, moment })
  const { failure, context = [], keepGoing, reason, notices = [] } = verdict
  // Why it could not run is for the record, not for the model.
  if (failure !== undefined) {
    const message = `${hook.id} has failed in the background: ${failure}`
    memory.recordLater(later, message)
  }
  const all = [...context, keepGoing, reason, ...notices]
  const texts = all.flatMap((text) => text ?? [])
  if (texts.length === 0) return
  const isUrgent = hook.flags['asyncRewake'] === true
  const told = texts.map((text) => words.label(hook, text))
  if (isUrgent && parts.wake) parts.wake(moment.sessionId, texts.join('\n'))
  else memory.tellLater(later, told)
}

/** How it ended, for whoever reads the record. */
function tell(
  context: AnyContext,
  { id }: ForeignHook,
  end: HandlerEnd,
  elapsedMs: number,
): void {
  const took = `${Math.round(elapsedMs)} ms`
  context.diagnose('handler-end', `${id}: ${describe(end)}, ${took}.`)
}

function describe(handler: HandlerEnd): string {
  switch (handler.type) {
    case 'command': {
      const { exitCode, signal, isTimedOut } = handler.end
      if (isTimedOut) return 'timed out'
      return exitCode === undefined ? `ended by ${signal}` : `exit ${exitCode}`
    }
    case 'http':
      return `status ${handler.end.status}`
    case 'failure':
      return `failed (${handler.failure.code})`
    case 'prompt':
    case 'tool':
      return 'answered'
  }
}

interface Settling {
  readonly hook: ForeignHook
  readonly moment: Moment
  readonly facts: DialectFacts
  readonly world: World
  readonly end: HandlerEnd
  readonly isTooSoon: boolean
}

/** A failure lets things pass, unless somebody has said that it must not. */
function settle(
  verdict: Verdict,
  { hook, moment, facts, world, end, isTooSoon }: Settling,
): Verdict {
  const { failure } = verdict
  if (failure === undefined) return verdict
  const left = refusing(verdict, moment)
  const isClosed =
    isTooSoon ||
    world.parts.isStrict === true ||
    facts.failsClosed?.(hook, moment, end) === true
  const reason = `A hook has failed, and so it is blocked: ${failure}`
  const blocked =
    facts.blocked?.(reason, hook, moment) ?? blockedAt(moment, reason)
  const isBlocked = isClosed && Object.keys(blocked).length > 0
  // To stop ends the turn, and withholds nothing of what there is by then.
  const isRefused = left.decision === 'deny' || left.keepGoing !== undefined
  if (isRefused || (blocks(left) && !isBlocked)) {
    return withLapse(left, 'sloppy-output', failure)
  }
  if (!isBlocked) {
    const what = narrows(left)
      ? 'no valid answer, and so only what it refuses, withholds or tells counts'
      : 'no answer, and so all goes on'
    const message = `${hook.id} gave ${what}: ${failure}`
    const isAsking = left.decision !== undefined
    return withLapse(left, isAsking ? 'sloppy-output' : 'failed-open', message)
  }
  const message = `${hook.id} gave no answer, and so it is blocked: ${failure}`
  const context = [...(left.context ?? []), ...(blocked.context ?? [])]
  // What it withholds stays withheld: to refuse is never milder than to go on.
  const closed = { ...left, ...blocked, context }
  return withLapse(closed, 'failed-closed', message)
}

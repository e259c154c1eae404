import { defineCell, defineHook, proceed, respond } from 'hookline'
import {
  llmError,
  type ModelError,
  type ModelErrorCode,
} from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  list,
  number,
  object,
  word,
} from '../define-hooks.ts'

export interface RetryOptions {
  /** How often one model is tried in one call, the first try included. */
  readonly maxAttempts?: number
  /** How long the first wait is; each further one is twice as long. */
  readonly baseMs?: number
  /** No wait of its own is longer. */
  readonly maxWaitMs?: number
  /** A provider that asks for a longer wait is not waited for. */
  readonly maxRetryAfterMs?: number
  /** No try begins later than this after the first one failed. */
  readonly maxTotalMs?: number
  /** Which share of a wait is left to chance. */
  readonly jitter?: number
  /** The same turn with the same seed waits equally long. */
  readonly seed?: number
  /** Only these errors, of those that can be retried. */
  readonly codes?: readonly ModelErrorCode[]
}

const count = number({ isWhole: true, min: 1, max: 20 })
const time = number({ min: 0, max: 3_600_000 })

const options = object<RetryOptions>(
  {
    maxAttempts: described(
      count,
      'How often one model is tried in one call, the first try included; default: 4.',
    ),
    baseMs: described(
      time,
      'How long the first wait is, in milliseconds; each further one is twice as long. Default: 1000.',
    ),
    maxWaitMs: described(time, 'No wait of its own is longer; default: 30000.'),
    maxRetryAfterMs: described(
      time,
      'A provider that asks for a longer wait is not waited for; default: 60000.',
    ),
    maxTotalMs: described(
      time,
      'No try begins later than this after the first one failed; default: 120000.',
    ),
    jitter: described(
      number({ min: 0, max: 1 }),
      'Which share of a wait is left to chance; default: 0.5.',
    ),
    seed: described(
      number({ isWhole: true }),
      'The same turn with the same seed waits equally long.',
    ),
    codes: described(
      list(
        word([
          'rate_limited',
          'overloaded',
          'unavailable',
          'timeout',
          'unknown',
        ]),
        { min: 1, max: 5 },
      ),
      'Only these errors, of those that can be retried; default: all of those.',
    ),
  },
  [],
)

/** What is known of the calls of one step, by who caused them. */
interface Tries {
  readonly step: number
  readonly calls: Readonly<Record<string, CallTries>>
}

interface CallTries {
  /** When the first try failed, by the wall: another process may go on. */
  readonly since: number
  /** At each model, the number of the attempt that was its first. */
  readonly first: Readonly<Record<string, number>>
}

/** Tries a model again that could not answer, and waits longer each time. */
export const retry = defineHooks<RetryOptions>({
  name: 'retry',
  description: 'Tries a model again that could not answer.',
  options,
  create(given, { name, clock }) {
    const { maxAttempts = 4, maxTotalMs = 120_000, codes } = given
    const { maxRetryAfterMs = 60_000 } = given
    const tries = defineCell<Tries>(`${name}:tries`, {
      initial: () => ({ step: 0, calls: {} }),
      scope: 'turn',
    })
    const hook = defineHook({
      name: `${name}:wait`,
      on: llmError,
      handler: { version: '1' },
      // Before whoever changes the model: first the same one is tried again.
      priority: 80,
      async run({ error, isReleased, attempt, request }, context) {
        const { scope, state, diagnose } = context
        const isMeant = codes?.includes(error.code) ?? true
        if (isReleased || !error.isRetryable || !isMeant) return proceed
        const { origin, step = 0, turnId = '' } = scope
        const { model } = request
        const now = clock.wallAt(clock.now())
        const noted = await state.update(tries, (before) =>
          noteTry(before, { origin, step, model, attempt, now }),
        )
        const call = noted.calls[origin]
        const tried = attempt - (call?.first[model] ?? attempt) + 1
        if (tried >= maxAttempts) return proceed
        const asked = askedFor(error)
        if (asked > maxRetryAfterMs) {
          diagnose('long-wait', `"${model}" asks for a wait of ${asked} ms.`)
          return proceed
        }
        const chance = chanceOf(given.seed, `${turnId}:${step}:${attempt}`)
        const afterMs = waitOf(given, { tried, asked, chance })
        const passed = Math.max(0, now - (call?.since ?? now))
        if (passed + afterMs > maxTotalMs) return proceed
        return respond({ type: 'retry', afterMs })
      },
    })
    return [hook]
  },
})

interface Failed {
  readonly origin: string
  readonly step: number
  readonly model: string
  readonly attempt: number
  readonly now: number
}

/** Calls that hooks make at the same time count as one, so as fewer tries. */
function noteTry(before: Tries, failed: Failed): Tries {
  const { origin, step, model, attempt, now } = failed
  const calls = before.step === step ? before.calls : {}
  const known = attempt > 1 ? calls[origin] : undefined
  const first = known?.first ?? {}
  const own = Object.hasOwn(first, model) ? first[model] : undefined
  const call = {
    since: known?.since ?? now,
    first: { ...first, [model]: Math.min(own ?? attempt, attempt) },
  }
  return { step, calls: { ...calls, [origin]: call } }
}

/** What a provider says can be anything. */
function askedFor({ retryAfterMs = 0 }: ModelError): number {
  return Number.isNaN(retryAfterMs) ? 0 : Math.max(0, retryAfterMs)
}

interface Wait {
  readonly tried: number
  readonly asked: number
  readonly chance: number
}

function waitOf(
  { baseMs = 1_000, maxWaitMs = 30_000, jitter = 0.5 }: RetryOptions,
  { tried, asked, chance }: Wait,
): number {
  const longest = Math.min(maxWaitMs, baseMs * 2 ** (tried - 1))
  const own = longest * (1 - jitter * chance)
  // Those who were told the same time do not all come back in one moment.
  const told = asked > 0 ? asked + baseMs * jitter * chance : 0
  return Math.round(Math.max(own, told))
}

/** From 0 to 1; with a seed always the same for the same place. */
function chanceOf(seed: number | undefined, place: string): number {
  if (seed === undefined) return Math.random()
  let hash = 0x811c9dc5
  for (const char of `${seed}:${place}`) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000
}

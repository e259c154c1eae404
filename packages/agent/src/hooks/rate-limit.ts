import {
  type Clock,
  compileCondition,
  defineCell,
  defineHook,
  proceed,
  reject,
  type State,
} from 'hookline'
import { type AgentScope, llmPreCall, toolGuard } from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  list,
  number,
  object,
  text,
  word,
} from '../define-hooks.ts'

/** So many calls in so much time. */
export interface RateRule {
  readonly of: 'tools' | 'models'
  /** Their names or patterns; default: all of them. */
  readonly names?: readonly string[]
  readonly calls: number
  readonly perMs: number
  /** How many can come at once; default: as many as `calls`. */
  readonly burst?: number
  /** Who has to share; default: everybody. */
  readonly per?: 'all' | 'agent' | 'actor' | 'session' | 'name'
  /** How long a call may wait for its turn; default: 0, it is refused. */
  readonly waitMs?: number
}

export interface RateLimitOptions {
  /** All that fit a call have to let it pass. */
  readonly rules: readonly RateRule[]
}

const rule = object<RateRule>(
  {
    of: described(
      word(['tools', 'models']),
      'Whether it is about calls of tools or of models.',
    ),
    names: described(
      list(text({ maxLength: 256 }), { min: 1, max: 100 }),
      'Names or patterns of tools or models; default: all of them.',
    ),
    calls: described(
      number({ isWhole: true, min: 1, max: 1_000_000 }),
      'How many calls.',
    ),
    perMs: described(
      number({ isWhole: true, min: 1, max: 86_400_000 }),
      'In how much time.',
    ),
    burst: described(
      number({ isWhole: true, min: 1, max: 1_000_000 }),
      'How many can come at once; default: as many as `calls`.',
    ),
    per: described(
      word(['all', 'agent', 'actor', 'session', 'name']),
      'Who has to share: everybody, or those of one agent, actor, session (with its sub-agents), or tool or model; default: all.',
    ),
    waitMs: described(
      number({ isWhole: true, min: 0, max: 50_000 }),
      'How long a call may wait for its turn; default: 0, it is refused at once.',
    ),
  },
  ['of', 'calls', 'perMs'],
)

const options = object<RateLimitOptions>(
  {
    rules: described(
      list(rule, { min: 1, max: 50 }),
      'All that fit a call have to let it pass.',
    ),
  },
  ['rules'],
)

interface Bucket {
  /** How many calls have room now; below zero: how many wait. */
  readonly room: number
  /** When that was, by wall time. */
  readonly at: number
}

type Buckets = Readonly<Record<string, Bucket>>

// Each has three keys, and a cell 10 000.
const maxBuckets = 3_000

/** Calls pass at a rate, as tokens of a bucket that fills up again. */
export const rateLimit = defineHooks({
  name: 'rate-limit',
  description: 'So many calls of tools and models in so much time.',
  options,
  create({ rules }, { name, clock }) {
    const limits = rules.map((one, at) => createLimit(one, `${name}:${at}`))
    const gateOf = (of: RateRule['of']) => {
      const ours = limits.filter((limit) => limit.rule.of === of)
      const longest = ours.reduce((sum, one) => sum + one.waitMs, 0)
      return { ours, timeoutMs: Math.min(55_000, longest) + 5_000 }
    }
    const tools = gateOf('tools')
    const models = gateOf('models')
    const gate = defineHook({
      name: `${name}:tools`,
      on: toolGuard,
      handler: { version: '1' },
      timeoutMs: tools.timeoutMs,
      async run({ tool }, { state, scope, signal }) {
        const about = { called: tool, scope, state, signal, clock }
        const refusal = await passAll(tools.ours, about)
        return refusal === undefined ? proceed : reject(refusal)
      },
    })
    const modelGate = defineHook({
      name: `${name}:models`,
      on: llmPreCall,
      handler: { version: '1' },
      priority: 950,
      // What is said to the model makes no difference here.
      beforeWrites: true,
      timeoutMs: models.timeoutMs,
      async run({ request }, { state, scope, signal }) {
        const about = { called: request.model, scope, state, signal, clock }
        const refusal = await passAll(models.ours, about)
        return refusal === undefined ? proceed : reject(refusal)
      },
    })
    return [
      ...(tools.ours.length > 0 ? [gate] : []),
      ...(models.ours.length > 0 ? [modelGate] : []),
    ]
  },
})

type Limit = ReturnType<typeof createLimit>

function createLimit(rule: RateRule, name: string) {
  const { names = ['*'], calls, perMs, burst = calls } = rule
  const { per = 'all', waitMs = 0 } = rule
  const cell = defineCell<Buckets>(name, {
    initial: () => ({}),
    scope: per === 'session' ? 'tree' : 'global',
    maxChars: 1_000_000,
  })
  const rate = { msPerCall: perMs / calls, burst, waitMs }
  return { rule, name, cell, fits: compileCondition(names), per, waitMs, rate }
}

interface Passing {
  readonly called: string
  readonly scope: AgentScope
  readonly state: State
  readonly signal: AbortSignal
  readonly clock: Clock
}

/** Why a call cannot pass, if it cannot; waits where it may. */
async function passAll(
  limits: readonly Limit[],
  passing: Passing,
): Promise<string | undefined> {
  for (const limit of limits) {
    const { called, state, clock, signal } = passing
    if (!limit.fits(called)) continue
    const { cell, rate, rule } = limit
    const key = keyOf(limit.per, passing)
    const now = clock.wallAt(clock.now())
    let hasPassed = false
    let waitMs = 0
    await state.update(cell, (before) => {
      const buckets = withoutFull(before, rate, now)
      const room = roomAt(buckets, key, rate, now) - 1
      waitMs = Math.max(0, -room * rate.msPerCall)
      hasPassed = waitMs <= rate.waitMs
      return hasPassed ? { ...buckets, [key]: { room, at: now } } : buckets
    })
    if (!hasPassed) {
      return `There were more than ${rule.calls} calls in ${rule.perMs} ms; try again in ${Math.ceil(waitMs)} ms.`
    }
    if (waitMs > 0) await sleep(clock, waitMs, signal)
  }
  return undefined
}

interface Rate {
  readonly msPerCall: number
  readonly burst: number
  readonly waitMs: number
}

function roomAt(
  buckets: Buckets,
  key: string,
  { msPerCall, burst }: Rate,
  now: number,
): number {
  const bucket = Object.hasOwn(buckets, key) ? buckets[key] : undefined
  if (bucket === undefined) return burst
  // A clock that was set back must not empty it.
  const elapsed = Math.max(0, now - bucket.at)
  return Math.min(burst, bucket.room + elapsed / msPerCall)
}

/** A bucket that is full is as good as none. Too many of them are an error. */
function withoutFull(buckets: Buckets, rate: Rate, now: number): Buckets {
  const keys = Object.keys(buckets)
  if (keys.length < maxBuckets) return buckets
  const used = Object.entries(buckets).filter(
    ([key]) => roomAt(buckets, key, rate, now) < rate.burst,
  )
  if (used.length < maxBuckets) return Object.fromEntries(used)
  throw new Error('Too many have called of late to count them one by one.')
}

function keyOf(
  per: NonNullable<RateRule['per']>,
  { called, scope }: Passing,
): string {
  switch (per) {
    case 'all':
    case 'session':
      return 'all'
    case 'agent':
      return `agent ${scope.agent}`
    case 'actor':
      return scope.actor
        ? `actor ${scope.actor.kind} ${scope.actor.id}`
        : 'nobody'
    case 'name':
      return `name ${called}`
  }
}

/** Ends early when nobody waits any more. */
async function sleep(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = clock.after(ms, resolve)
  const stop = () => resolve()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    await promise
  } finally {
    timer.stop()
    signal.removeEventListener('abort', stop)
  }
}

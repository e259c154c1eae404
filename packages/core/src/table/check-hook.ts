import {
  type Fallback,
  type Hook,
  HookError,
  hookError,
  type PlannedFallback,
  type PointShape,
} from '../engine/index.ts'
import { sealContribution } from '../judge/seal-contribution.ts'
import { sealData } from '../judge/seal-data.ts'
import { executionOf, isWaited } from './resolve-hook.ts'

const namePattern = /^[\w.:/@-]{1,128}$/
/** The words that a declaration may use, and what it may have instead. */
const words = {
  mode: { known: ['enforce', 'evaluate'], or: '' },
  visibility: {
    known: ['internal', 'debug', 'user_audit', 'user_visible'],
    or: '',
  },
  execution: {
    known: ['blocking', 'record', 'background'],
    or: ' or deadline',
  },
  onFailure: { known: ['closed', 'open', 'required'], or: ' or a fallback' },
  holdBack: { known: ['all', 'sentence', 'none'], or: ' or a window' },
}

/** Says what is wrong with a hook's own declaration, before any other is seen. */
export function checkHook(hook: Hook): void {
  if (typeof hook !== 'object' || hook === null) {
    throw new HookError('invalid-hook', 'A list of hooks holds what is none.')
  }
  const problem =
    checkShape(hook) ??
    checkExecution(hook) ??
    checkRetry(hook) ??
    checkHoldBack(hook) ??
    checkFailure(hook) ??
    checkCapabilities(hook)
  if (problem === undefined) return
  throw hookError('invalid-hook', String(hook.name), problem)
}

function checkShape(hook: Hook): string | undefined {
  if (typeof hook.name !== 'string' || !namePattern.test(hook.name)) {
    return 'needs a name of letters, digits and . : / @ _ - (at most 128)'
  }
  if (typeof hook.run !== 'function') return 'has no function `run`'
  if (!(hook.on?.answers instanceof Set)) return 'has no point in `on`'
  if (hook.priority !== undefined && !Number.isFinite(hook.priority)) {
    return 'has a priority that is not a number'
  }
  for (const key of ['after', 'before', 'needs', 'capabilities'] as const) {
    const names: unknown = hook[key] ?? []
    const isText = (name: unknown) => typeof name === 'string'
    if (hook[key] === null || !Array.isArray(names) || !names.every(isText)) {
      return `has a \`${key}\` that is not a list of names`
    }
  }
  for (const key of [
    'disabled',
    'writes',
    'beforeWrites',
    'idempotent',
  ] as const) {
    if (typeof (hook[key] ?? false) === 'boolean') continue
    return `has a \`${key}\` that is neither true nor false`
  }
  for (const [key, { known, or }] of Object.entries(words)) {
    const word: unknown = hook[key as keyof typeof words]
    const isRicher = typeof word === 'object' && word !== null && or !== ''
    if (word === undefined || isRicher) continue
    if (known.includes(word as string)) continue
    return `has an unknown ${key}; use ${known.join(', ')}${or}`
  }
  return undefined
}

function checkExecution(hook: Hook): string | undefined {
  const { on, timeoutMs, writes } = hook
  const execution = executionOf(hook)
  const hasDeadline = typeof execution === 'object'
  if (hasDeadline && timeoutMs !== undefined) {
    return 'has both a deadline and timeoutMs; keep one'
  }
  const ms = hasDeadline ? execution.deadlineMs : (timeoutMs ?? 1)
  if (!(ms > 0 && Number.isFinite(ms))) {
    return 'has a time limit that is not a positive number'
  }
  if (on.flow === 'observe' && isWaited(hook)) {
    return `is waited for, but ${on.name} only has observers`
  }
  if (writes && !on.answers.has('transform') && !on.answers.has('replace')) {
    return `writes, but nothing can be changed at ${on.name}`
  }
  return undefined
}

function checkRetry(hook: Hook): string | undefined {
  const { idempotent, retry } = hook
  const isJob = executionOf(hook) === 'background'
  if (idempotent && !isJob) return 'is idempotent, but is no background job'
  if (retry === undefined) return undefined
  if (!idempotent) return 'is tried again, but does not say it is idempotent'
  const { type, delayMs, maxAttempts } = retry
  const isKnown = type === 'fixed' || type === 'exponential'
  const isDelay = Number.isFinite(delayMs) && delayMs >= 0
  const isCount = Number.isInteger(maxAttempts) && maxAttempts > 0
  return isKnown && isDelay && isCount
    ? undefined
    : 'has a `retry` that is not a type, a delay and a number of attempts'
}

function checkHoldBack(hook: Hook): string | undefined {
  const { on, holdBack, safeUntil } = hook
  if (safeUntil !== undefined && typeof safeUntil !== 'function') {
    return 'has a `safeUntil` that is no function'
  }
  if (safeUntil !== undefined && holdBack !== undefined) {
    return 'has both `holdBack` and `safeUntil`; keep one'
  }
  if (holdBack === undefined && safeUntil === undefined) return undefined
  if (!on.isStreamed) return `holds back, but nothing is streamed at ${on.name}`
  if (!isWaited(hook)) return 'holds back, but nobody waits for it'
  if (typeof holdBack !== 'object') return undefined
  const isCount = Number.isInteger(holdBack.window) && holdBack.window > 0
  return isCount
    ? undefined
    : 'holds back a window that is no positive whole number'
}

function checkFailure(hook: Hook): string | undefined {
  const { on, onFailure: policy } = hook
  if (policy !== undefined && policy !== 'open' && !isWaited(hook)) {
    return 'is not waited for, so its failure policy can only be open'
  }
  if (policy === 'closed' && !on.answers.has('reject')) {
    return `fails closed, but nothing can be rejected at ${on.name}`
  }
  if (typeof policy !== 'object') return undefined
  const { fallback } = policy as { fallback?: unknown }
  if (typeof fallback !== 'object' || fallback === null) {
    return 'has a failure policy without its fallback'
  }
  return checkFallback(hook, policy.fallback)
}

function checkFallback(
  hook: Hook,
  { value, contributions = [] }: Fallback<PointShape>,
): string | undefined {
  if (value === undefined && contributions.length === 0) {
    return 'has a fallback with nothing in it; use open'
  }
  if (value !== undefined) {
    if (!hook.writes) return 'has a fallback value, but does not declare writes'
    const { problem } = sealData(value, hook.on.limits)
    if (problem !== undefined) return `has a fallback value that is ${problem}`
  }
  for (const one of contributions) {
    const made = sealContribution(declared(hook), hook.on, one)
    if (made instanceof HookError) return `has a bad fallback: ${made.code}`
  }
  return undefined
}

/** What a checked hook falls back on, as it was when the table was made. */
export function sealFallback(hook: Hook): PlannedFallback | undefined {
  const { on, onFailure: policy } = hook
  if (typeof policy !== 'object') return undefined
  const { value, contributions = [] } = policy.fallback
  const sealed = sealData(value, on.limits)
  return Object.freeze({
    value: sealed.problem === undefined ? sealed.value : undefined,
    contributed: contributions.flatMap((one) => {
      const made = sealContribution(declared(hook), on, one)
      return made instanceof HookError ? [] : [made]
    }),
  })
}

function declared({ name, capabilities = [] }: Hook) {
  return { name, capabilities }
}

function checkCapabilities(hook: Hook): string | undefined {
  const { on, capabilities = [] } = hook
  const rights = new Set(on.rights.values())
  for (const name of capabilities) {
    const kind = on.kinds.get(name)
    if (kind === undefined && !rights.has(name)) {
      const taken = [...on.kinds.keys(), ...rights].join(', ') || 'none'
      return `declares the capability "${name}", but ${on.name} takes: ${taken}`
    }
    if (kind !== undefined && !isWaited(hook) && !kind.unwaited) {
      return `contributes "${name}", but nobody waits for it`
    }
  }
  return undefined
}

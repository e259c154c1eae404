import {
  type Fallback,
  freezeDeep,
  type Hook,
  HookError,
  hookError,
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
}

/** Says what is wrong with a hook's own declaration, before any other is seen. */
export function checkHook(hook: Hook): void {
  const problem =
    checkShape(hook) ??
    checkExecution(hook) ??
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
  if (hook.priority !== undefined && !Number.isFinite(hook.priority)) {
    return 'has a priority that is not a number'
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
  if (value !== undefined) {
    if (!hook.writes) return 'has a fallback value, but does not declare writes'
    const { problem } = sealData(value, hook.on.limits)
    if (problem !== undefined) return `has a fallback value that is ${problem}`
    freezeDeep(value)
  }
  for (const contribution of contributions) {
    const declared = { name: hook.name, capabilities: hook.capabilities ?? [] }
    const made = sealContribution(declared, hook.on, contribution)
    if (made instanceof HookError) return `has a bad fallback: ${made.code}`
    freezeDeep(contribution)
  }
  return undefined
}

function checkCapabilities(hook: Hook): string | undefined {
  const { on, capabilities = [] } = hook
  const rights = new Set(on.rights.values())
  for (const name of capabilities) {
    const kind = on.kinds.get(name)
    if (kind === undefined && !rights.has(name)) {
      return `declares the capability "${name}", which ${on.name} does not take`
    }
    if (kind !== undefined && !isWaited(hook) && !kind.unwaited) {
      return `contributes "${name}", but nobody waits for it`
    }
  }
  return undefined
}

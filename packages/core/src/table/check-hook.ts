import {
  checkContribution,
  type Fallback,
  type Hook,
  hookError,
  type PointShape,
  sealData,
} from '../engine/index.ts'
import { executionOf, isWaited } from './resolve-hook.ts'

const namePattern = /^[\w.:/@-]{1,128}$/
const policies = new Set<unknown>([undefined, 'open', 'closed', 'required'])

/** Says what is wrong with a hook's own declaration, before any other is seen. */
export function checkHook(hook: Hook): void {
  const problem =
    checkShape(hook) ??
    checkExecution(hook) ??
    checkFailure(hook) ??
    checkCapabilities(hook)
  if (problem === undefined) return
  throw hookError('invalid-hook', hook.name, problem)
}

function checkShape({ name, run, priority = 0 }: Hook): string | undefined {
  if (!namePattern.test(name)) {
    return 'needs a name of letters, digits and . : / @ _ - (at most 128)'
  }
  if (typeof run !== 'function') return 'has no function `run`'
  if (!Number.isFinite(priority)) return 'has a priority that is not a number'
  return undefined
}

function checkExecution(hook: Hook): string | undefined {
  const { on, timeoutMs, writes } = hook
  const execution = executionOf(hook)
  const deadlineMs =
    typeof execution === 'object' ? execution.deadlineMs : undefined
  if (deadlineMs !== undefined && timeoutMs !== undefined) {
    return 'has both a deadline and timeoutMs; keep one'
  }
  const ms = deadlineMs ?? timeoutMs ?? 1
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
  if (typeof policy === 'object') return checkFallback(hook, policy.fallback)
  if (!policies.has(policy)) {
    return 'has an unknown failure policy; use closed, open, required or a fallback'
  }
  return undefined
}

function checkFallback(
  hook: Hook,
  { value, contributions = [] }: Fallback<PointShape>,
): string | undefined {
  if (value !== undefined) {
    if (!hook.writes) return 'has a fallback value, but does not declare writes'
    const problem = sealData(value, hook.on.limits)
    if (problem !== undefined) return `has a fallback value that is ${problem}`
  }
  for (const contribution of contributions) {
    const error = checkContribution(hook, contribution)
    if (error !== undefined) return `has a bad fallback: ${error.code}`
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

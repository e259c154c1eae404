import { sealData } from './data.ts'
import { HookError } from './error.ts'
import type { Fallback, Hook } from './hook.ts'
import type { Point, PointShape } from './point.ts'
import { executionOf, isWaited } from './resolve-hook.ts'

const namePattern = /^[\w.:/@-]{1,128}$/

/** Says what is wrong with a hook's own declaration, before any other is seen. */
export function checkHook(hook: Hook): void {
  const problem =
    checkIdentity(hook) ??
    checkExecution(hook) ??
    checkFailure(hook) ??
    checkCapabilities(hook)
  if (problem === undefined) return
  throw new HookError('invalid-hook', `Hook "${hook.name}" ${problem}.`, {
    hook: hook.name,
  })
}

function checkIdentity(hook: Hook): string | undefined {
  if (typeof hook.name !== 'string' || !namePattern.test(hook.name)) {
    return 'needs a name of letters, digits and . : / @ _ - (at most 128)'
  }
  if (typeof hook.run !== 'function') return 'has no function `run`'
  if (hook.priority !== undefined && !Number.isFinite(hook.priority)) {
    return 'has a priority that is not a number'
  }
  return undefined
}

function checkExecution(hook: Hook): string | undefined {
  const execution = executionOf(hook)
  const hasDeadline = typeof execution === 'object'
  const ms = hasDeadline ? execution.deadlineMs : hook.timeoutMs
  if (ms !== undefined && !(ms > 0 && ms < Number.POSITIVE_INFINITY)) {
    return 'has a time limit that is not a positive number'
  }
  if (hasDeadline && hook.timeoutMs !== undefined) {
    return 'has both a deadline and timeoutMs; keep one'
  }
  if (hook.on.flow === 'observe' && isWaited(hook)) {
    return `is waited for, but ${hook.on.name} only has observers`
  }
  const canWrite =
    hook.on.answers.has('transform') || hook.on.answers.has('replace')
  if (hook.writes && !canWrite) {
    return `writes, but nothing can be changed at ${hook.on.name}`
  }
  return undefined
}

function checkFailure(hook: Hook): string | undefined {
  const policy = hook.onFailure
  if (policy === undefined || policy === 'open') return undefined
  if (!isWaited(hook)) {
    return 'is not waited for, so its failure policy can only be open'
  }
  if (policy === 'required') return undefined
  if (policy === 'closed') {
    if (hook.on.answers.has('reject')) return undefined
    return `fails closed, but nothing can be rejected at ${hook.on.name}`
  }
  if (typeof policy !== 'object' || policy === null) {
    return 'has an unknown failure policy; use closed, open, required or a fallback'
  }
  return checkFallback(hook, policy.fallback)
}

function checkFallback(
  hook: Hook,
  fallback: Fallback<PointShape>,
): string | undefined {
  if (fallback.value !== undefined) {
    if (!hook.writes) return 'has a fallback value, but does not declare writes'
    const problem = sealData(fallback.value, hook.on.limits)
    if (problem !== undefined) return `has a fallback value that is ${problem}`
  }
  for (const { kind, value } of fallback.contributions ?? []) {
    const problem =
      missingCapability(hook, kind) ?? checkContribution(hook.on, kind, value)
    if (problem !== undefined) return `has a fallback that ${problem}`
  }
  return undefined
}

function checkCapabilities(hook: Hook): string | undefined {
  const rights = new Set(hook.on.rights.values())
  for (const name of hook.capabilities ?? []) {
    const kind = hook.on.kinds.get(name)
    if (kind === undefined && !rights.has(name)) {
      return `declares the capability "${name}", which ${hook.on.name} does not take`
    }
    if (kind !== undefined && !isWaited(hook) && !kind.unwaited) {
      return `contributes "${name}", but nobody waits for it`
    }
  }
  return undefined
}

export function missingCapability(
  hook: Hook,
  name: string,
): string | undefined {
  if (hook.capabilities?.includes(name)) return undefined
  return `uses "${name}" without declaring that capability`
}

/** Freezes a contribution's value and says what is wrong with it. */
export function checkContribution(
  point: Point,
  name: string,
  value: unknown,
): string | undefined {
  const kind = point.kinds.get(name)
  if (kind === undefined) {
    return `contributes "${name}", which ${point.name} does not take`
  }
  if (kind.live) Object.freeze(value)
  else {
    const problem = sealData(value, point.limits)
    if (problem !== undefined)
      return `contributes a "${name}" that is ${problem}`
  }
  const problem = kind.check(value)
  if (problem === undefined) return undefined
  return `contributes a "${name}" that ${problem}`
}

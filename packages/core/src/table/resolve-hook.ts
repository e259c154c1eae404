import {
  type Execution,
  freezeDeep,
  type Hook,
  type HookDescriptor,
  type Mode,
} from '../engine/index.ts'

const defaultPriority = 100
const defaultTimeoutMs = 30_000

/** A hook's declaration with every default filled in. */
export function resolveHook(
  hook: Hook,
  tableMode: Mode = 'enforce',
): HookDescriptor {
  const { name, on, handler } = hook
  const execution = executionOf(hook)
  const hasDeadline = typeof execution === 'object'
  const policy = hook.onFailure ?? (isWaited(hook) ? on.failure : 'open')
  const timeoutMs = hook.timeoutMs ?? defaultTimeoutMs
  return freezeDeep({
    name,
    point: on.name,
    handler: { id: name, kind: 'code', version: '0', ...handler },
    match: printMatch(hook.match),
    priority: hook.priority ?? defaultPriority,
    after: [...(hook.after ?? [])],
    before: [...(hook.before ?? [])],
    needs: [...(hook.needs ?? [])],
    execution: copyOf(execution),
    ...(hook.idempotent && { idempotent: true }),
    ...(hook.retry && { retry: copyOf(hook.retry) }),
    timeoutMs: hasDeadline ? execution.deadlineMs : timeoutMs,
    onFailure: typeof policy === 'object' ? 'fallback' : policy,
    capabilities: [...(hook.capabilities ?? [])],
    writes: hook.writes ?? false,
    beforeWrites: hook.beforeWrites ?? false,
    holdBack: copyOf(hook.holdBack ?? 'all'),
    visibility: hook.visibility ?? 'internal',
    mode: tableMode === 'evaluate' ? 'evaluate' : (hook.mode ?? 'enforce'),
    disabled: hook.disabled ?? false,
  })
}

/** The author's own object is not ours to freeze. */
function copyOf<T extends string | object>(declared: T): T {
  return typeof declared === 'object' ? { ...declared } : declared
}

export function executionOf(hook: Hook): Execution {
  return hook.execution ?? (hook.on.flow === 'observe' ? 'record' : 'blocking')
}

export function isWaited(hook: Hook): boolean {
  const execution = executionOf(hook)
  return execution !== 'record' && execution !== 'background'
}

function printMatch(match: unknown): unknown {
  if (match === undefined) return 'every input'
  if (typeof match === 'function') return 'a predicate'
  return JSON.parse(
    JSON.stringify(match, (_, part: unknown) =>
      part instanceof RegExp ? String(part) : part,
    ),
  )
}

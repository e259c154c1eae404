import type { Execution, Hook } from './hook.ts'
import type { FailurePolicy, HandlerId, Mode, Visibility } from './record.ts'

/** A hook's declaration with every default filled in. Plain data. */
export interface HookDescriptor {
  readonly name: string
  readonly point: string
  readonly handler: HandlerId
  /** The matcher as it can be printed. */
  readonly match: unknown
  readonly priority: number
  readonly after: readonly string[]
  readonly before: readonly string[]
  readonly needs: readonly string[]
  readonly execution: Execution
  readonly timeoutMs: number
  readonly onFailure: FailurePolicy
  readonly capabilities: readonly string[]
  readonly writes: boolean
  readonly beforeWrites: boolean
  readonly visibility: Visibility
  readonly mode: Mode
  readonly disabled: boolean
}

const defaultPriority = 100
const defaultTimeoutMs = 30_000

export function resolveHook(
  hook: Hook,
  tableMode: Mode = 'enforce',
): HookDescriptor {
  const execution = executionOf(hook)
  const policy = hook.onFailure ?? (isWaited(hook) ? hook.on.failure : 'open')
  return Object.freeze({
    name: hook.name,
    point: hook.on.name,
    handler: Object.freeze({
      id: hook.handler?.id ?? hook.name,
      kind: hook.handler?.kind ?? 'code',
      version: hook.handler?.version ?? '0',
    }),
    match: printMatch(hook.match),
    priority: hook.priority ?? defaultPriority,
    after: hook.after ?? [],
    before: hook.before ?? [],
    needs: hook.needs ?? [],
    execution,
    timeoutMs:
      typeof execution === 'object'
        ? execution.deadlineMs
        : (hook.timeoutMs ?? defaultTimeoutMs),
    onFailure: typeof policy === 'object' ? 'fallback' : policy,
    capabilities: hook.capabilities ?? [],
    writes: hook.writes ?? false,
    beforeWrites: hook.beforeWrites ?? false,
    visibility: hook.visibility ?? 'internal',
    mode: tableMode === 'evaluate' ? 'evaluate' : (hook.mode ?? 'enforce'),
    disabled: hook.disabled ?? false,
  })
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

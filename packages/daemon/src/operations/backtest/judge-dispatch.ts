import { getSession, type StoredDispatch } from '@hookline/agent/durable'
import type { AgentScope } from 'hookline/lifecycle'
import type { OutputOf } from '../../protocol/operations.ts'
import type { Workspace } from '../../reload/workspace.ts'
import { compare } from './compare.ts'
import { givenTo } from './read-dispatches.ts'
import type { TryHook, TryOptions } from './trial.ts'

type Judged = OutputOf<'replayRun'>

export interface JudgeOptions extends Omit<TryOptions, 'scope'> {
  readonly hook: string
  readonly tryHook: TryHook
  readonly scopeOf: ScopeOf
}

export type Verdict =
  | { readonly type: 'lacking'; readonly reason: string }
  | {
      readonly type: 'judged'
      readonly judged: Judged
      readonly isMatched: boolean
      readonly isChanged: boolean
    }

/** What a hook would have said about something that happened. */
export async function judgeDispatch(
  { store }: Workspace,
  dispatch: StoredDispatch,
  { hook, tryHook, scopeOf, ...options }: JudgeOptions,
): Promise<Verdict> {
  const { id, startedAt: at, sessionId, runs } = dispatch
  const given = givenTo(hook, dispatch)
  if ('lacks' in given) return { type: 'lacking', reason: given.lacks }
  const scope = await scopeOf(dispatch)
  const tried = await tryHook(given.input, { ...options, scope })
  const { record } = tried
  const reason = record?.reason
  const compared = compare(runs, hook, tried)
  const own = runs.find((run) => run.hook === hook)
  const { redactor } = store
  return {
    type: 'judged',
    isMatched: record !== undefined,
    isChanged: compared.isChanged,
    judged: {
      dispatch: id,
      at,
      ...(own !== undefined && { runId: own.id }),
      ...(sessionId !== undefined && { sessionId }),
      about: aboutOf(given.input, (text) => redactor.text(text)),
      before: compared.before,
      now: compared.now,
      ...(reason !== undefined && { reason: redactor.text(reason) }),
      ...(record?.failure && { failure: record.failure.message }),
      ...(given.type === 'redacted' && { isRedacted: true }),
    },
  }
}

const maxAbout = 300

/** What it was about: a tool and its arguments where it was a call. */
function aboutOf(value: unknown, redact: (text: string) => string): string {
  const held = Object(value) as Readonly<Record<string, unknown>>
  const call = Object(held['call'] ?? held) as typeof held
  const { tool, args } = call
  const isCall = typeof tool === 'string'
  const text = isCall
    ? `${tool} ${JSON.stringify(args ?? {})}`
    : (JSON.stringify(value) ?? '')
  // Redacted whole, then cut: half a secret is not recognized as one.
  const safe = redact(text)
  return safe.length <= maxAbout
    ? safe
    : `${safe.slice(0, maxAbout).toWellFormed()}…`
}

type ScopeOf = (dispatch: StoredDispatch) => Promise<AgentScope>

/**
 * Where it happened, as far as that is known. Its session has another name
 * here and no turn, so that nothing a hook does can be about the real one.
 */
export function createScopes({ store, root }: Workspace): ScopeOf {
  const folders = new Map<string, Promise<string>>()
  const folderOf = async (sessionId: string) => {
    const session = await getSession(store.parts, sessionId)
    return session?.cwd || root
  }
  return async ({ sessionId, agent = 'main' }) => {
    const common = { agent, origin: 'user', coreType: 'loop' } as const
    if (sessionId === undefined) return { ...common, cwd: root }
    const known = folders.get(sessionId) ?? folderOf(sessionId)
    folders.set(sessionId, known)
    const cwd = await known
    return { ...common, sessionId: `backtest:${sessionId}`, cwd }
  }
}

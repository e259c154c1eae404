import { type Hook, HookError } from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import type { Handler } from '../handlers/handler.ts'
import { HandlerFailure } from '../handlers/handler-failure.ts'
import { isWaited } from '../handlers/is-waited.ts'
import type { Trust, TrustCheck } from './trust.ts'
import type { TrustSource } from './trust-source.ts'

export interface TrustGuard {
  readonly trust: Trust
  readonly project: string
  readonly source: TrustSource
}

/**
 * A handler that runs only while its source is trusted, checked at each call,
 * and again by `checkStart` where something is started later than that. What
 * became another, or was revoked, no longer runs: a hook that is waited for then
 * fails, so that a gate refuses; an observer is left out, on record.
 *
 * Between the check and the moment that a program reads its file, somebody who
 * can write to it can still put another in its place. That takes rights on the
 * user's own files, and falls within a millisecond; a sandbox helps, this not.
 */
export function guardTrust(
  handler: Handler,
  { trust, project, source }: TrustGuard,
): Handler {
  return {
    async ask(call) {
      const { scope, decision } = call.envelope
      const { cwd = '' } = scope
      const whyNot = () => whyUntrusted({ trust, project, source }, cwd)
      const checkStart = () => {
        const message = whyNot()
        if (message !== undefined) {
          throw new HandlerFailure('untrusted', message)
        }
      }
      const message = whyNot()
      if (message === undefined) {
        return await handler.ask({ ...call, checkStart })
      }
      if (decision === undefined) throw new HandlerFailure('untrusted', message)
      call.diagnose('untrusted', message)
      return { text: '' }
    },
    async close() {
      await handler.close?.()
    },
  }
}

export interface MadeGuard extends TrustGuard {
  /** The hash of what it was made from; none: nobody can tell. */
  readonly madeOf: string | undefined
}

/**
 * The same for a hook that is code, and whose options came with a project. It
 * was made once, so that it also has to be made from what is trusted now.
 */
export function guardHook(hook: Hook, guard: MadeGuard): Hook {
  return {
    ...hook,
    run(input, context) {
      // All points of the lifecycle have the scope of an agent.
      const { cwd = '' } = context.scope as Partial<AgentScope>
      const message = whyNotAsMade(guard, cwd)
      if (message === undefined) return hook.run(input, context)
      context.diagnose('handler.untrusted', message)
      if (!isWaited(hook)) return undefined
      // It did not fail: it was not asked.
      throw new HookError('unavailable', message, hook.name)
    },
  }
}

function whyUntrusted(
  { trust, project, source }: TrustGuard,
  cwd: string,
): string | undefined {
  const check = trust.check(project, source, { cwd })
  return check.state === 'trusted' ? undefined : reasonOf(check, source)
}

function whyNotAsMade(
  { trust, project, source, madeOf }: MadeGuard,
  cwd: string,
): string | undefined {
  const check = trust.check(project, source, { cwd })
  if (check.state !== 'trusted') return reasonOf(check, source)
  if (check.hash === madeOf) return undefined
  return `"${source.name}" was made when its files were others, so that it did not run; have the hooks loaded again.`
}

function reasonOf({ state, hash, problem }: TrustCheck, { name }: TrustSource) {
  const what =
    state === 'changed'
      ? 'has changed since it was trusted'
      : 'comes with the project and is not trusted'
  const why = problem === undefined ? '' : ` ${problem}`
  return `"${name}" ${what}, so that it did not run; look at it, and trust ${hash}.${why}`
}

import type { DurableRuntime } from '@hookline/agent/durable'
import type { Caller } from '../protocol/caller.ts'
import { unseenHook } from '../protocol/words/answerer-words.ts'

export type HookVisibility = (hook: string) => boolean

/** Those who run the daemon see all hooks. */
export function seesAll({ rights }: Caller): boolean {
  return rights.has('admin')
}

/**
 * Whether those may see what a hook does who do not run the daemon. What is in
 * no table here is somebody else's, and is not shown.
 */
export function hookVisibility(runtime: DurableRuntime): HookVisibility {
  return (hook) =>
    runtime.agents.some(({ name }) => {
      const found = runtime.tableOf(name).hooks.find((one) => one.name === hook)
      const { visibility } = found ?? {}
      return visibility === 'user_visible' || visibility === 'user_audit'
    })
}

/** What is asked is for all; the same list, where they may see all who ask. */
export function shownQuestions<Asked extends { readonly by: string }>(
  questions: readonly Asked[],
  isVisible: HookVisibility,
): readonly Asked[] {
  const isShown = ({ by }: Asked) => by === 'policy' || isVisible(by)
  if (questions.every(isShown)) return questions
  return questions.map((one) =>
    isShown(one) ? one : { ...one, by: unseenHook },
  )
}

interface Ended {
  readonly error?: { readonly hook?: unknown } | undefined
}

/** How a turn ended; the same object, where they may see the hook that failed. */
export function shownEnd<End extends Ended>(
  end: End,
  isVisible: HookVisibility,
): End {
  const { hook, ...error } = end.error ?? {}
  if (typeof hook !== 'string' || isVisible(hook)) return end
  return { ...end, error }
}

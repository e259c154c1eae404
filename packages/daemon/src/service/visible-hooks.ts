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

interface Asked {
  readonly by: string
  readonly question: string
}

/** What is asked is for all; the same list, where they may see all who ask. */
export function shownQuestions<One extends Asked>(
  questions: readonly One[],
  isVisible: HookVisibility,
): readonly One[] {
  const isShown = ({ by }: One) => isShownAsker(by, isVisible)
  if (questions.every(isShown)) return questions
  const unseen = new Set<string>()
  return questions.flatMap((one) => {
    if (isShown(one)) return [one]
    // What two of them ask in the same words reads as one question.
    if (unseen.has(one.question)) return []
    unseen.add(one.question)
    return [{ ...one, by: unseenHook }]
  })
}

// What is inside of a part is indented, so that no other line begins like it.
const askedPart = /^asked: \[\n(?: .*\n)*/m
const asker = /^( {4}"by": )(.*?)(,?)$/gm

/**
 * The text of a call that people are asked about. Before 0.3.0 it named all who
 * ask, and what is sealed stays as it is: the names are taken out of what is
 * told, and nothing else.
 */
export function shownCall(shown: string, isVisible: HookVisibility): string {
  return shown.replace(askedPart, (part) =>
    part.replaceAll(asker, (line, key: string, by: string, comma: string) =>
      isShownAsker(nameIn(by), isVisible)
        ? line
        : key + JSON.stringify(unseenHook) + comma,
    ),
  )
}

function isShownAsker(by: string, isVisible: HookVisibility): boolean {
  return by === 'policy' || isVisible(by)
}

/** As no hook is called, where it was cut or has what no screen shows. */
function nameIn(json: string): string {
  try {
    return String(JSON.parse(json))
  } catch {
    return ''
  }
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

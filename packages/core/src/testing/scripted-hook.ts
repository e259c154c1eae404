import type { Answer, Hook, Point, ShapeOf } from '../engine/index.ts'

/** A hook that answers as it was told, and remembers what it was asked. */
export interface ScriptedHook<P extends Point> extends Hook<P> {
  readonly seen: readonly ShapeOf<P>['input'][]
}

/** Everything a hook declares, with answers in place of the function. */
type Script<P extends Point> = Omit<Hook<P>, 'run'> & {
  /** Given in turn; the last one stays. An error is thrown instead. */
  readonly answers: readonly (
    | Answer<ShapeOf<P>['value'], ShapeOf<P>['output']>
    | Error
  )[]
}

/** A stand-in for the hooks that run beside the one under test. */
export function scriptedHook<P extends Point>({
  answers,
  ...declared
}: Script<P>): ScriptedHook<P> {
  const seen: ShapeOf<P>['input'][] = []
  const run = (input: ShapeOf<P>['input']) => {
    seen.push(input)
    const answer = answers[Math.min(seen.length, answers.length) - 1]
    if (answer instanceof Error) throw answer
    return answer
  }
  // What a script may say at its point is checked when it says it.
  return Object.freeze({ ...declared, seen, run }) as unknown as ScriptedHook<P>
}

import type { Candidate } from './measure.ts'

/** Whether hooks answer at once or with a promise. */
export type Kind = 'sync' | 'async'

export interface ToolCall {
  readonly tool: string
  readonly args: { readonly command: string }
}

/** How often a hook ran. Every hook has one of its own, and counts in it. */
export interface Counter {
  runs: number
}

export interface Dispatcher<Result> {
  readonly name: string
  readonly dispatch: (call: ToolCall) => Result | PromiseLike<Result>
  /** Whether that is the result of a dispatch in which all went well. */
  readonly isRight: (result: Result | undefined, call: ToolCall) => boolean
}

/**
 * The loop around a dispatch, the same for every library. It keeps the last
 * call and its result, which leaves the compiler nothing to optimise away.
 */
export function dispatchCandidate<Result>(
  counters: readonly Counter[],
  { name, dispatch, isRight }: Dispatcher<Result>,
): Candidate {
  let call = freshCall()
  let result: Result | undefined
  return {
    name,
    async run(times) {
      for (let done = 0; done < times; done++) {
        call = freshCall()
        result = await dispatch(call)
      }
    },
    check(times) {
      for (const counter of counters) {
        if (counter.runs !== times) {
          throw new Error(
            `A hook of ${name} ran ${counter.runs} times, not ${times}.`,
          )
        }
        counter.runs = 0
      }
      if (isRight(result, call)) return
      throw new Error(`A dispatch of ${name} gave a wrong result.`)
    },
  }
}

function freshCall(): ToolCall {
  return { tool: 'bash', args: { command: 'ls' } }
}

import { type Context, createContext, Script } from 'node:vm'

const script = new Script('run()')
let context: Context | undefined

/** What a function gives; it is cut off, and this throws, where it takes longer. */
export function runBounded<T>(run: () => T, timeoutMs: number): T {
  context ??= createContext({})
  const outer: unknown = context['run']
  context['run'] = run
  try {
    return script.runInContext(context, { timeout: timeoutMs }) as T // what it gave
  } finally {
    context['run'] = outer
  }
}

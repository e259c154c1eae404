import {
  AnyOf,
  type Condition,
  type Hook,
  HookError,
  hookError,
} from '../engine/index.ts'
import { compileGlob } from './glob.ts'

type Matcher = (input: unknown, scope: object) => boolean

/** How patterns from outside are matched. */
export interface MatchEngines {
  readonly glob: (pattern: string) => (text: string) => boolean
  /** For `$regex`; it must take linear time. There is none by default. */
  readonly regex?: (source: string) => (text: string) => boolean
}

const defaultEngines: MatchEngines = { glob: compileGlob }

type Test = (value: unknown) => boolean

/** Compiles one condition, as hooks use them, for something else. */
export function compileCondition(
  condition: Condition,
  engines: Partial<MatchEngines> = {},
): Test {
  const refuse = (problem: string, cause?: unknown) => {
    const message = `A condition matches ${problem}.`
    return new HookError('invalid-match', message, undefined, cause)
  }
  return createCompiler({ ...defaultEngines, ...engines }, refuse)(condition)
}

/** Compiles a matcher once; whatever cannot work is an error here. */
export function compileMatch(
  { name: hook, on: point, match }: Hook,
  engines: Partial<MatchEngines> = {},
): Matcher | undefined {
  if (match === undefined) return undefined
  // A predicate is typed by its own point, which is this one.
  if (typeof match === 'function') return match as Matcher
  const refuse = (problem: string, cause?: unknown) =>
    hookError('invalid-match', hook, `matches ${problem}`, cause)
  if (typeof match !== 'object' || match === null) {
    throw refuse('by what is neither conditions nor code')
  }
  const compile = createCompiler({ ...defaultEngines, ...engines }, refuse)
  const tests = Object.entries(match).map(([name, condition]) => {
    const field = point.fields.get(name) as Matcher | undefined
    if (field === undefined) {
      const known = [...point.fields.keys()].join(', ') || 'nothing'
      throw refuse(`by "${name}", but ${point.name} can match by: ${known}`)
    }
    const test = compile(condition)
    return (input: unknown, scope: object) => {
      const value: unknown = field(input, scope)
      return value instanceof AnyOf ? value.values.some(test) : test(value)
    }
  })
  return (input, scope) => tests.every((test) => test(input, scope))
}

function createCompiler(
  engines: MatchEngines,
  refuse: (problem: string, cause?: unknown) => HookError,
): (condition: unknown) => Test {
  const onText = (compile: () => (text: string) => boolean, what: string) => {
    try {
      const test = compile()
      return (value: unknown) => typeof value === 'string' && test(value)
    } catch (cause) {
      throw refuse(`by a bad ${what}`, cause)
    }
  }

  const compile = (condition: unknown): Test => {
    if (typeof condition === 'string') {
      if (!/[*?{]/.test(condition)) return (value) => value === condition
      return onText(() => engines.glob(condition), `pattern "${condition}"`)
    }
    if (condition instanceof RegExp) {
      // A copy without state: `g` and `y` would remember the last match.
      const flags = condition.flags.replace(/[gy]/g, '')
      const regex = new RegExp(condition.source, flags)
      return (value) => typeof value === 'string' && regex.test(value)
    }
    if (Array.isArray(condition)) {
      const tests = condition.map(compile)
      return (value) => tests.some((test) => test(value))
    }
    if (typeof condition === 'object' && condition !== null) {
      return compileObject(condition)
    }
    if (condition === undefined || typeof condition === 'function') {
      throw refuse(`by ${typeof condition}, which is not a condition`)
    }
    return (value) => value === condition
  }

  const compileObject = (condition: object): Test => {
    const tests = Object.entries(condition).map(([key, part]): Test => {
      if (key === '$not') {
        const test = compile(part)
        return (value) => !test(value)
      }
      if (key === '$is') return (value) => value === part
      if (key === '$regex') {
        const { regex } = engines
        if (typeof part !== 'string') throw refuse('by a regex that is no text')
        if (regex === undefined) {
          throw refuse('by $regex, but the table was given no regex engine')
        }
        return onText(() => regex(part), `regex "${part}"`)
      }
      if (key.startsWith('$')) throw refuse(`by an unknown operator "${key}"`)
      const path = key.split('.')
      const test = compile(part)
      return (value) => test(dig(value, path))
    })
    return (value) => tests.every((test) => test(value))
  }

  return compile
}

function dig(value: unknown, path: readonly string[]): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined
    if (!Object.hasOwn(here, key)) return undefined
    here = (here as Record<string, unknown>)[key]
  }
  return here
}

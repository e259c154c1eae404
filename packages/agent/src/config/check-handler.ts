import type {
  BuiltinDefinition,
  CommandDefinition,
  HttpDefinition,
} from '../handlers/definition.ts'
import { type ConfigNode, entryOf } from './node.ts'
import { hint, type ProblemCode, quote } from './problem.ts'
import { subject } from './shape/scalars.ts'
import { below, type Reading, refuse, type Shape } from './shape/shape.ts'

/** What is said of single keys holds; these are the rules between them. */
type Rules<T> = (value: T, at: At) => void
type At = (key: string, code: ProblemCode, problem: string) => void

function withRules<T>(
  shape: Shape<T>,
  rules: Rules<T>,
  extra: Shape['schema'] = {},
): Shape<T> {
  return {
    schema: { ...shape.schema, ...extra },
    read(node, reading) {
      const before = reading.report.count
      const value = shape.read(node, reading)
      if (value === undefined || reading.report.count > before) return value
      rules(value, (key, code, problem) => {
        refuseKey(node, reading, { key, code, problem })
      })
      return value
    },
  }
}

/** Points at the key where it is written, else at the whole. */
export function refuseKey(
  node: ConfigNode,
  reading: Reading,
  {
    key,
    code,
    problem,
    suggestion,
  }: {
    readonly key: string
    readonly code: ProblemCode
    /** How a sentence about the key goes on. */
    readonly problem: string
    readonly suggestion?: string | undefined
  },
): void {
  const written = key === '' ? undefined : entryOf(node, key)
  const inside = written === undefined ? reading : below(reading, key)
  const end = /[.?]$/.test(problem) ? '' : '.'
  const message = `${subject(inside)} ${problem}${end}`
  refuse(written ?? node, inside, { code, message, suggestion })
}

/** A program is given in one way. */
export function checkCommand(
  shape: Shape<CommandDefinition>,
): Shape<CommandDefinition> {
  const rules: Rules<CommandDefinition> = (command, at) => {
    const { argv, windowsArgv, shell } = command
    if (argv === undefined && shell === undefined) {
      at('', 'missing-key', 'has neither `argv` nor `shell`; add one')
    }
    if (argv !== undefined && shell !== undefined) {
      at('shell', 'conflict', 'is there beside `argv`; keep one of them')
    }
    if (windowsArgv !== undefined && argv === undefined) {
      at('windowsArgv', 'conflict', 'stands in for `argv`, which is not there')
    }
    for (const key of ['argv', 'windowsArgv'] as const) {
      if (command[key]?.[0] !== '') continue
      at(key, 'wrong-value', 'begins with an empty text, which is no program')
    }
    if (command.framing !== undefined && command.mode !== 'resident') {
      at('framing', 'conflict', 'is of resident commands; add `mode: resident`')
    }
    if (shell?.trim() === '') at('shell', 'wrong-value', 'is an empty script')
  }
  return withRules(shape, rules, {
    oneOf: [{ required: ['argv'] }, { required: ['shell'] }],
    dependencies: { windowsArgv: ['argv'] },
  })
}

const placeholder = /\$\{([^}]*)\}/g

/** Nothing of an address or a header is repeated: it can hold a secret. */
export function checkHttp(shape: Shape<HttpDefinition>): Shape<HttpDefinition> {
  return withRules(shape, (definition, at) => {
    const { url, headers = {}, env = [], allowPrivate, mustSign } = definition
    const parsed = URL.parse(url)
    if (parsed === null) {
      at('url', 'wrong-value', 'is no address that can be read')
    } else if (parsed.username !== '' || parsed.password !== '') {
      const problem =
        'holds a user or a password; name a variable with them in a header'
      at('url', 'wrong-value', problem)
    } else if (parsed.protocol === 'http:' && !allowPrivate) {
      const problem =
        'is http, which is for this machine with `allowPrivate` only; use https'
      at('url', 'wrong-value', problem)
    }
    for (const [name, value] of Object.entries(headers)) {
      for (const [, variable = ''] of value.matchAll(placeholder)) {
        if (env.includes(variable)) continue
        const problem = `names the variable ${quote(variable)} in ${quote(name)}, which \`env\` does not; add it there`
        at('headers', 'wrong-value', problem)
      }
    }
    if (mustSign && definition.secretEnv === undefined) {
      at('mustSign', 'conflict', 'needs a key; name it in `secretEnv`')
    }
  })
}

export function checkBuiltin(
  shape: Shape<BuiltinDefinition>,
  known: readonly string[] | undefined,
): Shape<BuiltinDefinition> {
  if (known === undefined) return shape
  const names = [...known].sort()
  return {
    schema: withName(shape.schema, names),
    read(node, reading) {
      const value = shape.read(node, reading)
      const name = value?.name
      if (typeof name !== 'string' || names.includes(name)) return value
      const suggestion = reading.report.nearest(name, names)
      const problem = `is ${quote(name)}, which nobody has registered${hint(suggestion, names)}`
      const code = 'unknown-builtin'
      refuseKey(node, reading, { key: 'name', code, problem, suggestion })
      return value
    },
  }
}

function withName(schema: Shape['schema'], names: readonly string[]) {
  // It is the schema of an object with a `name`, as its type says.
  const properties = schema['properties'] as Shape['schema']
  const name = properties['name'] as Shape['schema']
  return {
    ...schema,
    properties: { ...properties, name: { ...name, enum: names } },
  }
}

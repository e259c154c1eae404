import type { DialectName } from '../dialects/dialect.ts'
import type { EntryDefinition } from '../handlers/definition.ts'
import { variableNames, variableValues } from './handler-shapes.ts'
import { hookName, type Vocabulary } from './hook-shape.ts'
import { type HookEntry, hooksShape } from './hooks-section.ts'
import type { Place } from './node.ts'
import type { ConfigSection } from './section.ts'
import { list, object } from './shape/containers.ts'
import { flag, scalarOf, subject, text, word } from './shape/scalars.ts'
import { described, refuse, type Shape } from './shape/shape.ts'

/** What a file says at its top, as code writes it. */
export interface ConfigFile {
  readonly $schema?: string
  readonly version?: 1
  readonly hooks?: readonly EntryDefinition[]
  /** Names of hooks that do not run. */
  readonly disable?: readonly string[]
  readonly dialects?: readonly DialectEntry[]
  /** What every command and http hook of the file has in its `env`. */
  readonly env?: readonly string[]
  /** What every command of the file has in its `setEnv`. */
  readonly setEnv?: Readonly<Record<string, string>>
}

/** A hook file of another product that is to be read. */
export interface DialectEntry {
  readonly dialect: DialectName
  /** A relative path starts at the folder of the file that says so. */
  readonly file: string
  /** What that product would let pass by mistake is denied. */
  readonly strict?: boolean
}

/** What it says, as it is read. */
export interface SectionValues {
  readonly $schema: string
  readonly version: number
  readonly hooks: readonly HookEntry[]
  readonly disable: readonly Placed<string>[]
  readonly dialects: readonly Placed<DialectEntry>[]
  readonly env: readonly string[]
  readonly setEnv: Readonly<Record<string, string>>
}

export interface Placed<T> {
  readonly value: T
  readonly at: Place
}

const dialects = [
  'claude-code',
  'codex',
  'gemini',
  'cursor',
  'copilot',
  'vs-code',
] as const satisfies readonly DialectName[]

const dialect = object<DialectEntry>(
  {
    dialect: described(word(dialects), 'Whose hook file it is.'),
    file: described(
      text({ pattern: /^[^\0]+$/, kind: 'a path' }),
      'A relative path starts at the folder of this file.',
    ),
    strict: described(
      flag,
      'What that product would let pass by mistake is denied.',
    ),
  },
  ['dialect', 'file'],
)

/** A further section of a file is one more entry here, or in the options. */
export function fileSections(vocabulary: Vocabulary): {
  readonly [K in keyof SectionValues]: ConfigSection<SectionValues[K]>
} {
  return {
    $schema: {
      name: '$schema',
      shape: described(text(), 'Where the schema of this file is.'),
    },
    version: { name: 'version', shape: version },
    hooks: { name: 'hooks', shape: hooksShape(vocabulary) },
    disable: {
      name: 'disable',
      shape: described(placed(hookName), 'Names of hooks that do not run.'),
    },
    dialects: {
      name: 'dialects',
      shape: described(
        placed(dialect),
        'Hook files of other products that are read as they are.',
      ),
    },
    env: {
      name: 'env',
      shape: described(
        variableNames,
        'Variables of the environment that all hooks of this file get.',
      ),
    },
    setEnv: {
      name: 'setEnv',
      shape: described(
        variableValues,
        'Further variables that all commands of this file get.',
      ),
    },
  }
}

/** A list whose items remember where they are written. */
function placed<T>(item: Shape<T>): Shape<readonly Placed<T>[]> {
  const { schema } = list(item)
  const plain = list<Placed<T>>({
    schema: item.schema,
    read(node, reading) {
      const before = reading.report.count
      const value = item.read(node, reading)
      const isRight = value !== undefined && reading.report.count === before
      return isRight ? { value, at: node.at } : undefined
    },
  })
  return { schema, read: (node, reading) => plain.read(node, reading) }
}

const newest = 1

const version: Shape<number> = {
  schema: {
    description: 'The version of this format.',
    const: newest,
  },
  read(node, reading) {
    const value = scalarOf(node)
    if (value === newest) return newest
    const isFuture = typeof value === 'number' && value > newest
    const message = isFuture
      ? `${subject(reading)} is newer than this hookline, which knows ${newest}; update it.`
      : `${subject(reading)} has to be ${newest}.`
    const code = isFuture ? 'future-version' : 'wrong-value'
    return refuse(node, reading, { code, message })
  },
}

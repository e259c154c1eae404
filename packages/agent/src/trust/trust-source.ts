import type { JsonValue } from 'hookline/lifecycle'
import {
  type CommandDefinition,
  type EntryDefinition,
  isUse,
} from '../handlers/definition.ts'

/** Something of a project that wants to run: all that it says, and its words. */
export interface TrustSource {
  /** The same as long as it is the same hook, however it changes. */
  readonly name: string
  /** All of it, as data; people are shown this, and nothing is left out. */
  readonly content: JsonValue
  /** The folder of the file that holds it. */
  readonly folder: string
  /** Where its command runs; absent: in the folder of the session. */
  readonly cwd?: string
  /** A program and its arguments. */
  readonly argv?: readonly string[]
  /** Where a relative path of the program starts; absent: where it runs. */
  readonly programFolder?: string
  /** A script for a shell. */
  readonly shell?: string
  /** Files that it loads; relative ones start at `folder`. */
  readonly files?: readonly string[]
  /** What `$NAME` stands for in the words, where that is known. */
  readonly variables?: Readonly<Record<string, string>>
}

export interface SourceOptions {
  readonly name: string
  readonly folder: string
  /** What the hooks of a use are made from. */
  readonly files?: readonly string[]
}

/** The source of a hook of ours. */
export function sourceOf(
  definition: EntryDefinition,
  { name, folder, files = [] }: SourceOptions,
): TrustSource {
  // What comes from a file is JSON, and nothing else.
  const content = definition as unknown as JsonValue
  const common = { name, folder, content }
  if (isUse(definition)) return { ...common, files }
  const { handler } = definition
  if (handler.type === 'module') return { ...common, files: [handler.file] }
  if (handler.type !== 'command') return common
  const { shell, setEnv, mode } = handler
  // A process that stays is not of any session.
  const cwd = handler.cwd ?? (mode === 'resident' ? folder : undefined)
  const argv = argvOf(handler)
  return {
    ...common,
    ...(argv !== undefined && { argv, programFolder: folder }),
    ...(shell !== undefined && { shell }),
    ...(cwd !== undefined && { cwd }),
    ...(setEnv !== undefined && { variables: setEnv }),
  }
}

function argvOf({ argv, windowsArgv }: CommandDefinition) {
  return process.platform === 'win32' ? (windowsArgv ?? argv) : argv
}

import type { Argument, Command, CommandEntry, Option } from '../command.ts'
import { globalOptions } from '../global-options.ts'

/** What can follow some words of a command line. */
export interface WordsPlace {
  /** The commands so far; none: right after `hookline`. */
  readonly path: readonly string[]
  readonly commands: readonly {
    readonly name: string
    readonly summary: string
  }[]
  readonly options: readonly KnownOption[]
  /** What arguments may be, where that is known. */
  readonly choices: readonly string[]
}

export interface KnownOption {
  /** All ways to write it, the short one first. */
  readonly names: readonly string[]
  readonly about: string
  /** What its value may be; absent: it has none. */
  readonly value?: 'file' | 'folder' | 'any' | readonly string[]
}

/** Everything that can be completed, from the table of commands. */
export async function describeWords(
  entries: readonly CommandEntry[],
): Promise<readonly WordsPlace[]> {
  const loaded = await Promise.all(
    entries.map(async (entry) => ({
      ...entry,
      command: (await entry.load()).command,
    })),
  )
  const help = { name: 'help', summary: 'Explain a command.' }
  const top: WordsPlace = {
    path: [],
    commands: [...entries, help].map(({ name, summary }) => ({
      name,
      summary,
    })),
    options: [...globalOptions, versionOption, helpOption].map(knownOption),
    choices: [],
  }
  const asked: WordsPlace = {
    path: ['help'],
    commands: top.commands,
    options: [],
    choices: [],
  }
  const places = loaded.flatMap(({ name, command }) =>
    placesOf([name], command),
  )
  return [top, asked, ...places]
}

const versionOption = { flags: '-V, --version', about: 'Print the version.' }
const helpOption = { flags: '-h, --help', about: 'Explain a command.' }

function placesOf(
  path: readonly string[],
  command: Command,
): readonly WordsPlace[] {
  const { subcommands = [], options = [] } = command
  const byDefault = subcommands.find(({ isDefault }) => isDefault)
  const all = [...options, ...(byDefault?.options ?? []), ...globalOptions]
  return [
    {
      path,
      commands: subcommands.map(({ name, summary }) => ({ name, summary })),
      options: [...all, helpOption].map(knownOption),
      choices: choicesOf(command.arguments ?? byDefault?.arguments),
    },
    ...subcommands.flatMap((sub) => placesOf([...path, sub.name], sub)),
  ]
}

function choicesOf(args: readonly Argument[] = []): readonly string[] {
  return args.flatMap(({ choices = [] }) => choices)
}

function knownOption({ flags, about, choices, takes }: Option): KnownOption {
  const names = flags.match(/--?[a-z][a-z-]*/gi) ?? []
  if (!/[<[]/.test(flags)) return { names, about }
  return { names, about, value: choices ?? takes ?? 'any' }
}

import { CommanderError } from 'commander'
import {
  buildProgram,
  type Invocation,
  type ProgramOptions,
} from './build-program.ts'
import { CliError } from './cli-error.ts'
import type { Command } from './command.ts'
import { commandTable } from './command-table.ts'
import { findCommandWord } from './global-options.ts'
import { nearestWords } from './nearest-words.ts'

/** What the words ask for; nothing when help was all they wanted. */
export async function readWords(
  words: readonly string[],
  options: Pick<ProgramOptions, 'version' | 'writeHelp' | 'bold'>,
): Promise<Invocation | undefined> {
  const wanted = await findWanted(words)
  let found: Invocation | undefined
  const program = buildProgram({
    ...options,
    entries: commandTable,
    ...(wanted && { wanted }),
    onFound: (invocation) => {
      found = invocation
    },
  })
  try {
    program.parse(words.length === 0 ? ['--help'] : words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return undefined
    throw usageError(error, wanted)
  }
  return found
}

interface Wanted {
  readonly name: string
  readonly command: Command
  /** The word after it, if it is one of its commands or could be. */
  readonly next: string | undefined
}

async function findWanted(
  words: readonly string[],
): Promise<Wanted | undefined> {
  const place = findCommandWord(words)
  const at = words[place] === 'help' ? place + 1 : place
  const entry = commandTable.find(({ name }) => name === words[at])
  if (entry === undefined) return undefined
  const next = words.slice(at + 1).find((word) => !word.startsWith('-'))
  return { name: entry.name, command: (await entry.load()).command, next }
}

function usageError(error: CommanderError, wanted?: Wanted): CliError {
  const { name = '', next = '' } = wanted ?? {}
  const inner = wanted?.command.subcommands?.map((sub) => sub.name) ?? []
  const path = inner.includes(next) ? `${name} ${next}` : name
  const help = `See: hookline ${path === '' ? '' : `${path} `}--help`
  const fail = (message: string, hints: readonly string[]) =>
    new CliError('usage', message, { hint: [...hints, help].join('\n') })
  if (error.code === 'commander.help') {
    return fail(`"hookline ${name}" needs one of its commands.`, [])
  }
  // A group gives words that it does not know to its usual command.
  if (error.code === 'commander.excessArguments' && path === name && inner[0]) {
    const near = nearestWords(next, inner)
    const meant = near.length > 0 ? near : inner
    const hint = `${near.length > 0 ? 'Did you mean' : 'There are'}: ${meant.join(', ')}.`
    return fail(`Unknown command '${name} ${next}'.`, [hint])
  }
  const [said = '', ...suggestions] = error.message
    .replace(/^error: /, '')
    .split('\n')
  const message = `${said.charAt(0).toUpperCase()}${said.slice(1).replace(/\.$/, '')}.`
  return fail(message, suggestions)
}

import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  Option as CommanderOption,
} from 'commander'
import type {
  Argument,
  Command,
  CommandEntry,
  Example,
  Option,
  Subcommand,
} from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { globalOptions } from './global-options.ts'

/** A command that was found, and what it was given. */
export interface Invocation {
  /** Its names, from the outermost. */
  readonly path: readonly string[]
  readonly command: Omit<Command, 'subcommands'>
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

export interface ProgramOptions {
  readonly entries: readonly CommandEntry[]
  /** The one that is wanted: only its words are read. */
  readonly wanted?: { readonly name: string; readonly command: Command }
  readonly version: string
  readonly writeHelp: (text: string) => void
  readonly bold: (text: string) => string
  readonly onFound: (invocation: Invocation) => void
}

/** Makes commander read what the table says. */
export function buildProgram(options: ProgramOptions): CommanderCommand {
  const { entries, wanted, version, writeHelp, bold } = options
  const program = new CommanderCommand('hookline')
    .description('Agents with lifecycle hooks: a daemon and its commands.')
    .usage('<command> [options]')
    .version(version, '-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Explain a command.')
    .helpCommand('help [command]', 'Explain a command.')
    .exitOverride()
    .configureOutput({
      writeOut: writeHelp,
      // What is wrong is told by whoever catches it.
      writeErr: () => {},
      outputError: () => {},
    })
    .configureHelp({ showGlobalOptions: true, styleTitle: bold })
    .addHelpText('after', `\n${overview(bold)}`)
  for (const option of globalOptions) program.addOption(optionOf(option))
  for (const { name, summary, group } of entries) {
    const made = program.command(name).summary(summary).helpGroup(group)
    if (name !== wanted?.name) continue
    made.description(describe(summary, wanted.command))
    define(made, { ...options, command: wanted.command, path: [name] })
  }
  return program
}

interface Definition extends ProgramOptions {
  readonly command: Command
  readonly path: readonly string[]
}

function define(made: CommanderCommand, definition: Definition): void {
  const { command, path, bold, onFound } = definition
  for (const one of command.arguments ?? []) made.addArgument(argumentOf(one))
  for (const one of command.options ?? []) made.addOption(optionOf(one))
  const examples = examplesOf(command)
  if (examples.length > 0) {
    made.addHelpText('after', `\n${bold('Examples:')}\n${list(examples)}`)
  }
  for (const sub of command.subcommands ?? []) {
    const { name, summary, isDefault = false } = sub
    const inner = made.command(name, { isDefault }).summary(summary)
    inner.description(describe(summary, sub))
    define(inner, { ...definition, command: sub, path: [...path, name] })
  }
  if (command.run === undefined) return
  made.action(() => {
    const args = made.processedArgs.flat().filter((one) => one !== undefined)
    const options = made.optsWithGlobals()
    onFound({ path, command, args: args.map(String), options })
  })
}

function argumentOf({ name, about, choices }: Argument): CommanderArgument {
  const made = new CommanderArgument(name.replace('…', '...'), about)
  return choices ? made.choices([...choices]) : made
}

function optionOf({ flags, about, choices }: Option): CommanderOption {
  const made = new CommanderOption(flags.replace('…', '...'), about)
  return choices ? made.choices([...choices]) : made
}

function describe(summary: string, { about }: Command): string {
  return about === undefined ? summary : `${summary}\n\n${about}`
}

/** Of a group, those of all its commands. */
function examplesOf(command: Command): readonly Example[] {
  const inner: readonly Subcommand[] = command.subcommands ?? []
  return [
    ...(command.examples ?? []),
    ...inner.flatMap(({ examples = [] }) => examples),
  ]
}

function list(examples: readonly Example[]): string {
  return examples
    .map(({ command, about }) => `  $ ${command}\n      ${about}`)
    .join('\n')
}

function overview(bold: (text: string) => string): string {
  const codes = Object.values(exitCodes).map(
    ({ code, meaning }) => `  ${String(code).padEnd(5)}${meaning}`,
  )
  return [
    bold('Exit codes:'),
    ...codes,
    '',
    bold('Environment:'),
    '  HOOKLINE_HOME, HOOKLINE_URL, HOOKLINE_TOKEN_FILE   as the options say',
    '  NO_COLOR, FORCE_COLOR                              no colour, or always',
    '  HOOKLINE_DEBUG=1                                   where errors come from',
  ].join('\n')
}

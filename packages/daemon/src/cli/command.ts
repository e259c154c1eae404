import type { CommandContext } from './command-context.ts'
import type { ExitName } from './exit-codes.ts'

/** What somebody can ask for, as data: help and completion are made of it. */
export interface Command {
  /** What the summary leaves out, for its own help. */
  readonly about?: string
  readonly arguments?: readonly Argument[]
  readonly options?: readonly Option[]
  readonly examples?: readonly Example[]
  readonly subcommands?: readonly Subcommand[]
  /** It goes on when nobody reads what it says. */
  readonly outlivesReader?: boolean
  /** Gives how it ended; nothing: well. */
  readonly run?: (context: CommandContext) => Promise<ExitName | undefined>
}

export interface Subcommand extends Omit<Command, 'subcommands'> {
  readonly name: string
  readonly summary: string
  /** It is meant when none is named. */
  readonly isDefault?: boolean
}

export interface Argument {
  /** `<name>` has to be there, `[name]` may be, `…` at its end takes all. */
  readonly name: string
  readonly about: string
  readonly choices?: readonly string[]
}

export interface Option {
  /** Such as `-y, --yes` or `--agent <name>`. */
  readonly flags: string
  readonly about: string
  readonly choices?: readonly string[]
  /** What its value is, for completion. */
  readonly takes?: 'file' | 'folder'
}

export interface Example {
  readonly command: string
  readonly about: string
}

/** A command as it is listed: the rest is loaded when it is wanted. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** The heading that it stands under. */
  readonly group: string
  readonly load: () => Promise<{ readonly command: Command }>
}

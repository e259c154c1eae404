import type { ExitName } from './exit-codes.ts'

/** Why a command ends without having done what it should. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exit: ExitName
  /** What to do about it. */
  readonly hint: string | undefined

  constructor(
    exit: ExitName,
    message: string,
    options: ErrorOptions & { readonly hint?: string } = {},
  ) {
    super(message, options)
    this.exit = exit
    this.hint = options.hint
  }
}

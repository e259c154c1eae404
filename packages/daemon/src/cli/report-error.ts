import type { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'
import type { Output } from './output/output.ts'
import { plainJson, plainText } from './output/plain-text.ts'

/** Says on stderr what is wrong; gives the exit code. */
export function reportError(
  error: CliError,
  output: Output,
  { isDebug }: { readonly isDebug: boolean },
): number {
  const { exit, message, hint, cause } = error
  const { code } = exitCodes[exit]
  if (output.isJson) {
    const told = { code, exit, message, ...(hint !== undefined && { hint }) }
    output.note(plainJson(JSON.stringify({ error: told })))
  } else {
    const sign = output.noteStyle(['bold', 'red'], 'error:')
    output.note(`${sign} ${plainText(message)}`)
    for (const line of hint?.split('\n') ?? []) {
      output.note(`  ${plainText(line)}`)
    }
  }
  if (isDebug) output.note(plainText(stackOf(cause ?? error)))
  return code
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

import type { TurnStatus } from 'hookline/lifecycle'
import type { ExitName } from '../exit-codes.ts'

/** How a command ends whose turn ended so. */
export const turnExit: Readonly<Record<TurnStatus, ExitName>> = {
  succeeded: 'ok',
  rejected: 'refused',
  withheld: 'refused',
  failed: 'failed',
  cancelled: 'interrupted',
  limited: 'failed',
}

/** What there is to say about an end that is not a good one. */
export const turnWords: Readonly<Record<TurnStatus, string>> = {
  succeeded: 'The turn succeeded',
  rejected: 'The turn was refused',
  withheld: 'The reply was withheld',
  failed: 'The turn failed',
  cancelled: 'The turn was cancelled',
  limited: 'The turn reached a limit',
}

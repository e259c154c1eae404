import type { Command } from '../command.ts'
import { answerCommand } from './approvals/answer.ts'
import { listCommand } from './approvals/list.ts'
import { revokeCommand } from './approvals/revoke.ts'
import { rulesCommand } from './approvals/rules.ts'
import { showCommand } from './approvals/show.ts'

export const command: Command = {
  about: 'An answer counts for just what was shown, and for nothing else.',
  subcommands: [
    listCommand,
    showCommand,
    answerCommand,
    rulesCommand,
    revokeCommand,
  ],
}

import type { Command } from '../command.ts'
import { listCommand } from './audit/list.ts'
import { verifyCommand } from './audit/verify.ts'

export const command: Command = {
  subcommands: [listCommand, verifyCommand],
}

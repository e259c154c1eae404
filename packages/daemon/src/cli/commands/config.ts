import type { Command } from '../command.ts'
import { checkCommand } from './config/check.ts'
import { schemaCommand } from './config/schema.ts'
import { showCommand } from './config/show.ts'

export const command: Command = {
  subcommands: [checkCommand, showCommand, schemaCommand],
}

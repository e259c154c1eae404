import type { Command } from '../command.ts'
import { sessionsChange } from './sessions/change.ts'
import { exportCommand } from './sessions/export.ts'
import { listCommand } from './sessions/list.ts'
import { resumeCommand } from './sessions/resume.ts'
import { showCommand } from './sessions/show.ts'

export const command: Command = {
  subcommands: [
    listCommand,
    showCommand,
    resumeCommand,
    ...sessionsChange,
    exportCommand,
  ],
}

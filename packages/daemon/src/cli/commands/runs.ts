import type { Command } from '../command.ts'
import { listCommand } from './runs/list.ts'
import { replayCommand } from './runs/replay.ts'
import { showCommand } from './runs/show.ts'
import { tailCommand } from './runs/tail.ts'
import { whyCommand } from './runs/why.ts'

export const command: Command = {
  subcommands: [
    listCommand,
    showCommand,
    tailCommand,
    whyCommand,
    replayCommand,
  ],
}

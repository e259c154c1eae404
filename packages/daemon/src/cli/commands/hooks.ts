import type { Command } from '../command.ts'
import { backtestCommand } from './hooks/backtest.ts'
import { explainCommand } from './hooks/explain.ts'
import { figuresCommand } from './hooks/figures.ts'
import { lintCommand } from './hooks/lint.ts'
import { listCommand } from './hooks/list.ts'
import { disableCommand, enableCommand, modeCommand } from './hooks/switch.ts'
import { testCommand } from './hooks/test.ts'
import { trustCommand } from './hooks/trust.ts'

export const command: Command = {
  subcommands: [
    listCommand,
    explainCommand,
    enableCommand,
    disableCommand,
    modeCommand,
    trustCommand,
    lintCommand,
    testCommand,
    backtestCommand,
    figuresCommand,
  ],
}

import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { connectForTurn } from '../connect/connect-for-turn.ts'
import { rootOption } from '../global-options.ts'
import { createEnding } from '../turn/interrupts.ts'
import { aloneOption } from '../turn/turn-options.ts'

export const command: Command = {
  about:
    'What you say while the agent works joins its turn. Ctrl-C cancels the turn, twice leaves; /help says more.',
  options: [
    { flags: '--agent <name>', about: 'Who; default: the first agent.' },
    { flags: '--session <id>', about: 'Go on in a session.' },
    { flags: '-v, --verbose', about: 'Also what usually says nothing new.' },
    rootOption,
    aloneOption,
  ],
  examples: [
    { command: 'hookline chat', about: 'A new session with the first agent.' },
    {
      command: 'hookline chat --session <session>',
      about: 'Where you left, or where something was interrupted.',
    },
  ],
  async run(context) {
    const { output } = context
    const isTerminal = output.isTerminal && process.stdin.isTTY === true
    if (!isTerminal || output.isJson) {
      throw new CliError('usage', 'A chat needs a terminal.', {
        hint: 'For scripts there is "hookline run".',
      })
    }
    const { converse } = await import('../chat/converse.ts')
    const connection = await connectForTurn(context)
    const ending = createEnding(output)
    try {
      return await converse(context, { connection, ending })
    } finally {
      ending.begin()
      await connection.close()
      ending.close()
    }
  },
}

import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { connectForTurn } from '../connect/connect-for-turn.ts'
import { rootOption } from '../global-options.ts'
import { playTurn } from '../turn/play-turn.ts'
import { aloneOption, turnOptions } from '../turn/turn-options.ts'

export const command: Command = {
  about:
    'What the agent says comes on stdout, what it does on stderr. The exit code says how the turn ended. Ctrl-C cancels the turn, twice leaves at once.',
  arguments: [
    { name: '<input…>', about: 'What to do; "-" stands for what is on stdin.' },
  ],
  options: [
    { flags: '--agent <name>', about: 'Who; default: the first agent.' },
    { flags: '--session <id>', about: 'Go on in a session.' },
    rootOption,
    aloneOption,
    ...turnOptions,
  ],
  examples: [
    {
      command: 'hookline run "What changed last week?"',
      about: 'Without a daemon, one is started for as long as it takes.',
    },
    {
      command: 'git diff | hookline run "Review this:" -',
      about: 'Input from a pipe.',
    },
    {
      command: 'hookline run --json --when-asked deny "Tidy up" > events.jsonl',
      about: 'Everything that happens, one event on each line.',
    },
  ],
  async run(context) {
    const { args, options } = context
    const input = await readInput(args)
    const connection = await connectForTurn(context)
    const { client } = connection
    const agent = options.text('agent')
    const id = options.text('session')
    const key = randomUUID()
    return await playTurn(context, {
      connection,
      key,
      open: () =>
        client.createSession({
          ...(agent !== undefined && { agent }),
          ...(id === undefined
            ? { cwd: resolve(options.text('root') ?? '.') }
            : { id }),
        }),
      start: ({ id: sessionId }) => client.send({ sessionId, input, key }),
    })
  },
}

async function readInput(words: readonly string[]): Promise<string> {
  const parts: string[] = []
  for (const word of words) {
    parts.push(word === '-' ? await readAll(process.stdin) : word)
  }
  const input = parts.join(' ').trim()
  if (input !== '') return input
  throw new CliError('usage', 'There is nothing to do.', {
    hint: 'Say what, in quotes, or on stdin with "-".',
  })
}

import type { Command } from '../command.ts'

export const command: Command = {
  about:
    'A daemon in a folder of its own, and a story with real tools: a file is edited, a command refused, a key hidden, a memory recalled, a person asked. Without the key of a provider, a scripted model plays it.',
  options: [
    {
      flags: '--once',
      about: 'To its end, without a person: what is asked is agreed to.',
    },
    { flags: '-v, --verbose', about: 'Also what usually says nothing new.' },
  ],
  examples: [
    { command: 'hookline demo', about: 'The approval waits for you.' },
    { command: 'hookline demo --once', about: 'For a look, or a check.' },
  ],
  async run(context) {
    const { runDemo } = await import('../demo/run-demo.ts')
    return await runDemo(context)
  },
}

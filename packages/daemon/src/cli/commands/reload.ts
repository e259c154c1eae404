import type { Command } from '../command.ts'
import { renderConfigState } from '../render-config-state.ts'

export const command: Command = {
  about:
    'What runs goes on with what it began with. Where something is wrong, what was loaded before stays.',
  examples: [
    {
      command: 'hookline reload',
      about: 'Exit code 1: it was refused, and nothing has changed.',
    },
  ],
  async run({ connect, output }) {
    const client = await connect()
    const state = await client.reload()
    if (output.isJson) output.json(state)
    else output.line(renderConfigState(state, output))
    return state.refusal === undefined ? 'ok' : 'failed'
  },
}

import type { Command } from '../command.ts'
import { renderFields } from '../output/table.ts'
import { age } from '../output/times.ts'

export const command: Command = {
  examples: [
    { command: 'hookline status', about: 'Exit code 3: no daemon runs.' },
  ],
  async run({ connect, output }) {
    const client = await connect()
    const [info, ready] = await Promise.all([client.info(), client.ready()])
    if (output.isJson) output.json({ ...info, ...ready })
    else {
      const { sessions, turns, streams } = info.counts
      output.line(
        renderFields(
          [
            ['daemon', info.isSafe ? 'runs, in safe mode' : 'runs'],
            ['ready', ready.isReady ? 'yes' : ready.problems.join(' ')],
            ['version', info.version],
            ['process', info.pid],
            ['since', age(info.startedAt)],
            ['project', info.root],
            ['store', info.store],
            [
              'open',
              `${sessions} sessions, ${turns} turns, ${streams} streams`,
            ],
            ['you are', `${info.caller.id} (${info.caller.rights.join(', ')})`],
          ],
          (style, text) => output.style(style, text),
        ),
      )
    }
    return ready.isReady ? 'ok' : 'failed'
  },
}

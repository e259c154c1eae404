import type { Subcommand } from '../../command.ts'
import { withProgress } from '../../output/progress.ts'
import { renderFields } from '../../output/table.ts'
import { localTime } from '../../output/times.ts'

export const replayCommand: Subcommand = {
  name: 'replay',
  summary: 'Ask the hook of a run again, as it is now.',
  about: 'Nothing comes of the answer, and nothing is kept.',
  arguments: [{ name: '<run>', about: 'Its id.' }],
  examples: [
    {
      command: 'hookline runs replay <run>',
      about: 'What it said then, and what it says now.',
    },
  ],
  async run({ args, connect, output }) {
    const client = await connect()
    const work = client.replayRun({ runId: args[0] ?? '' })
    const judged = await withProgress(output, 'Asking it again', work)
    if (output.isJson) {
      output.json(judged)
      return undefined
    }
    const { before, now, reason, failure, about, isRedacted, at } = judged
    output.line(
      renderFields(
        [
          ['about', about],
          ['when', localTime(at)],
          ['then', before],
          ['now', now],
          ['reason', reason],
          ['failure', failure],
        ],
        (style, text) => output.style(style, text),
      ),
    )
    output.line(
      before === now ? 'It says the same.' : 'It says something else.',
    )
    if (isRedacted === true) {
      output.note('It was asked about what is kept, which has no secrets.')
    }
    return undefined
  },
}

import type { Command } from '../command.ts'
import { answerCommand } from './questions/answer.ts'

export const command: Command = {
  subcommands: [
    {
      name: 'list',
      summary: 'List what agents want to know.',
      isDefault: true,
      options: [{ flags: '--session <id>', about: 'Of one session.' }],
      examples: [
        { command: 'hookline questions', about: 'Everything that waits.' },
      ],
      async run({ connect, options, output }) {
        const client = await connect()
        const sessionId = options.text('session')
        const { items } = await client.listQuestions(
          sessionId === undefined ? {} : { sessionId },
        )
        if (output.isJson) output.json({ items })
        else {
          const rows = items.flatMap((asked) =>
            asked.questions.map((question) => ({ ...asked, ...question })),
          )
          output.table(rows, [
            { header: 'CALL', value: ({ callId }) => callId },
            { header: 'SESSION', value: (row) => row.sessionId },
            { header: 'QUESTION', value: ({ id }) => id },
            { header: 'ABOUT', value: (row) => row.question, canShrink: true },
            {
              header: 'OPTIONS',
              value: (row) =>
                row.options?.map(({ label }) => label).join(' | '),
              canShrink: true,
            },
          ])
        }
        return undefined
      },
    },
    answerCommand,
  ],
}

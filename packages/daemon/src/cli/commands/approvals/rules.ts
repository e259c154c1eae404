import type { Subcommand } from '../../command.ts'
import { age, exactTime } from '../../output/times.ts'
import { pageInput, pageOptions, showPage } from '../../paging.ts'

export const rulesCommand: Subcommand = {
  name: 'rules',
  summary: 'List what need not be asked again.',
  options: pageOptions,
  examples: [
    {
      command: 'hookline approvals rules',
      about: 'Every yes that lasts, and who gave it.',
    },
  ],
  async run({ connect, options, output }) {
    const client = await connect()
    const page = await client.listRules(pageInput(options))
    showPage(output, page, [
      { header: 'RULE', value: ({ id }) => id },
      { header: 'AGENT', value: ({ agent }) => agent },
      { header: 'TOOL', value: ({ tool }) => tool },
      {
        header: 'COVERS',
        value: ({ covers }) =>
          covers === 'tool' ? 'any arguments' : 'the same arguments',
      },
      { header: 'FOR', value: ({ sessionId }) => sessionId ?? 'all sessions' },
      { header: 'FOLDER', value: ({ cwd }) => cwd, canShrink: true },
      { header: 'BY', value: ({ createdBy }) => createdBy },
      {
        header: 'SINCE',
        value: ({ createdAt }) => age(createdAt),
        exact: ({ createdAt }) => exactTime(createdAt),
      },
    ])
    return undefined
  },
}

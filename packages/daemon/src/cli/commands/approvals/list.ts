import type { Subcommand } from '../../command.ts'
import { age, exactTime } from '../../output/times.ts'
import { pageInput, pageOptions, showPage } from '../../paging.ts'

export const listCommand: Subcommand = {
  name: 'list',
  summary: 'List what waits for a yes.',
  isDefault: true,
  options: [
    { flags: '--session <id>', about: 'Of one session.' },
    ...pageOptions,
  ],
  examples: [
    { command: 'hookline approvals', about: 'Everything that waits.' },
  ],
  async run({ connect, options, output }) {
    const client = await connect()
    const sessionId = options.text('session')
    const page = await client.listApprovals({
      ...pageInput(options),
      ...(sessionId !== undefined && { sessionId }),
    })
    showPage(output, page, [
      { header: 'APPROVAL', value: ({ id }) => id },
      { header: 'AGENT', value: ({ agent }) => agent },
      { header: 'TOOL', value: ({ tool }) => tool },
      {
        header: 'STATE',
        value: ({ state, approvers, votes }) =>
          approvers > 1 ? `${state} (${votes}/${approvers})` : state,
      },
      {
        header: 'ASKED',
        value: ({ askedAt }) => age(askedAt),
        exact: ({ askedAt }) => exactTime(askedAt),
      },
      {
        header: 'WHY',
        value: ({ questions }) =>
          questions.map(({ question }) => question).join(' '),
        canShrink: true,
      },
    ])
    return undefined
  },
}

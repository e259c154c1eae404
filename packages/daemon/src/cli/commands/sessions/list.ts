import type { Subcommand } from '../../command.ts'
import { age, exactTime } from '../../output/times.ts'
import { pageInput, pageOptions, showPage } from '../../paging.ts'

export const listCommand: Subcommand = {
  name: 'list',
  summary: 'List sessions, the latest first.',
  isDefault: true,
  options: [
    { flags: '--agent <name>', about: 'Those of one agent.' },
    {
      flags: '--parent <session>',
      about: 'Those that work for one session.',
    },
    ...pageOptions,
  ],
  examples: [
    { command: 'hookline sessions', about: 'The latest sessions.' },
    {
      command: "hookline sessions --json | jq -r '.items[].id'",
      about: 'Their ids, for a script.',
    },
  ],
  async run({ connect, options, output }) {
    const client = await connect()
    const agent = options.text('agent')
    const parentId = options.text('parent')
    const page = await client.listSessions({
      ...pageInput(options),
      ...(agent !== undefined && { agent }),
      ...(parentId !== undefined && { parentId }),
    })
    showPage(output, page, [
      { header: 'SESSION', value: ({ id }) => id },
      { header: 'AGENT', value: ({ agent: name }) => name },
      { header: 'TURNS', value: ({ turns }) => turns, align: 'right' },
      {
        header: 'CHANGED',
        value: ({ updatedAt }) => age(updatedAt),
        exact: ({ updatedAt }) => exactTime(updatedAt),
      },
      {
        header: 'STATE',
        value: ({ endReason, worker }) =>
          endReason ?? (worker === null ? 'at rest' : 'open'),
      },
      {
        header: 'WORKS FOR',
        value: (session) => session.parentId ?? undefined,
      },
      {
        header: 'ABOUT',
        value: ({ title }) => title ?? undefined,
        canShrink: true,
      },
      { header: 'FOLDER', value: ({ cwd }) => cwd, canShrink: true },
    ])
    return undefined
  },
}

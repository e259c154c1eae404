import type { Subcommand } from '../../command.ts'
import { exactTime, localTime } from '../../output/times.ts'
import { pageInput, pageOptions, showPage } from '../../paging.ts'

export const listCommand: Subcommand = {
  name: 'list',
  summary: 'List what is on record, the latest first.',
  isDefault: true,
  options: [
    { flags: '--session <id>', about: 'About one session.' },
    ...pageOptions,
  ],
  examples: [{ command: 'hookline audit', about: 'Who did what, and when.' }],
  async run({ connect, options, output }) {
    const client = await connect()
    const sessionId = options.text('session')
    const page = await client.listAudit({
      ...pageInput(options),
      ...(sessionId !== undefined && { sessionId }),
    })
    showPage(output, page, [
      { header: '#', value: ({ seq }) => words(seq), align: 'right' },
      {
        header: 'WHEN',
        value: ({ at }) => localTime(Number(at)),
        exact: ({ at }) => exactTime(Number(at)),
      },
      { header: 'WHAT', value: ({ kind }) => words(kind) },
      { header: 'WHO', value: ({ actor }) => words(actor) },
      {
        header: 'SESSION',
        value: (record) => words(record['sessionId']),
        canShrink: true,
      },
      { header: 'DETAILS', value: ({ body }) => words(body), canShrink: true },
    ])
    return undefined
  },
}

function words(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

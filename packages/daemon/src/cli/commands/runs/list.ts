import { runStates } from '../../../protocol/run-outcome.ts'
import type { Subcommand } from '../../command.ts'
import { withRecords } from '../../connect/with-records.ts'
import type { GivenOptions } from '../../given-options.ts'
import { pageInput, pageOptions, showPage } from '../../paging.ts'
import { readTime } from './read-time.ts'
import { runColumns } from './run-columns.ts'

/** Which runs are meant. */
export const runOptions = [
  { flags: '--hook <name>', about: 'Of one hook.' },
  { flags: '--point <name>', about: 'At one point.' },
  { flags: '--session <id>', about: 'In one session.' },
  {
    flags: '--state <state>',
    about: 'Those that ended so.',
    choices: runStates,
  },
] as const

export function runFilter(options: GivenOptions) {
  const hook = options.text('hook')
  const point = options.text('point')
  const sessionId = options.text('session')
  const state = runStates.find((one) => one === options.text('state'))
  return {
    ...(hook !== undefined && { hook }),
    ...(point !== undefined && { point }),
    ...(sessionId !== undefined && { sessionId }),
    ...(state !== undefined && { state }),
  }
}

export const listCommand: Subcommand = {
  name: 'list',
  summary: 'List what hooks did, the latest first.',
  isDefault: true,
  options: [
    ...runOptions,
    { flags: '--since <time>', about: 'From then on: 1h, 7d, or a date.' },
    { flags: '--until <time>', about: 'Up to then.' },
    ...pageOptions,
  ],
  examples: [
    {
      command: 'hookline runs --state failed --since 1d',
      about: 'Which hooks failed since yesterday.',
    },
    {
      command: 'hookline runs --state timed_out --since 1d',
      about: 'And which took too long.',
    },
  ],
  async run(context) {
    const { options, output } = context
    const since = readTime(options, 'since', { span: 'before' })
    const until = readTime(options, 'until', { span: 'before' })
    const wanted = {
      ...pageInput(options),
      ...runFilter(options),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    }
    const page = await withRecords(context, ({ client }) =>
      client.listRuns(wanted),
    )
    showPage(output, page, runColumns)
    return undefined
  },
}

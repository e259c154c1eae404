import type { OutputOf } from '../../../protocol/operations.ts'
import type { Subcommand } from '../../command.ts'
import type { CommandContext } from '../../command-context.ts'
import { plainLine } from '../../output/plain-text.ts'
import { withProgress } from '../../output/progress.ts'
import { exactTime, localTime } from '../../output/times.ts'
import { readTime } from '../runs/read-time.ts'
import { readWanted } from './written-hook.ts'

const weekMs = 7 * 86_400_000

export const backtestCommand: Subcommand = {
  name: 'backtest',
  summary: 'Try a hook on what happened, and show what would be different.',
  about:
    'A file is one of hookline; what is within the project runs only if it is trusted. Nothing comes of the answers.',
  arguments: [{ name: '<hook>', about: 'Its name, or a file that holds it.' }],
  options: [
    { flags: '--since <time>', about: 'From then on; default: 7d.' },
    { flags: '--until <time>', about: 'Up to then.' },
    { flags: '--session <id>', about: 'Of one session.' },
    { flags: '--hook <name>', about: 'Which one of a file with several.' },
    { flags: '--limit <count>', about: 'How many at most; default: 1000.' },
  ],
  examples: [
    {
      command: 'hookline hooks backtest new-guard.yaml --since 7d',
      about: 'What it would have denied in a week.',
    },
  ],
  async run(context) {
    const { args, options, output } = context
    const wanted = await readWanted(args[0] ?? '', {
      named: options.text('hook'),
    })
    const client = await context.connect()
    const until = readTime(options, 'until', { span: 'before' })
    const sessionId = options.text('session')
    const limit = options.number('limit')
    const work = client.backtest({
      ...wanted,
      since:
        readTime(options, 'since', { span: 'before' }) ?? Date.now() - weekMs,
      ...(until !== undefined && { until }),
      ...(sessionId !== undefined && { sessionId }),
      ...(limit !== undefined && { limit }),
    })
    const report = await withProgress(output, 'Trying it', work)
    if (output.isJson) output.json(report)
    else showReport(context, report)
    return undefined
  },
}

type Report = OutputOf<'backtest'>

/** What would have been different, and what could not be looked at. */
export function showReport(
  { output }: Pick<CommandContext, 'output'>,
  report: Report,
): void {
  const { point, looked, judged, matched, changed, differences } = report
  const { lacking, lackingCount, isCut } = report
  output.table(differences, [
    {
      header: 'WHEN',
      value: ({ at }) => localTime(at),
      exact: ({ at }) => exactTime(at),
    },
    { header: 'WAS', value: ({ before }) => before, canShrink: true },
    {
      header: 'WOULD BE',
      value: ({ now }) => now,
      canShrink: true,
      style: ({ now = '' }) => (now.startsWith('reject') ? 'red' : 'yellow'),
    },
    {
      header: 'WHY',
      value: ({ failure, reason, isRedacted }) =>
        `${failure ?? reason ?? ''}${isRedacted ? ' (without its secrets)' : ''}`,
      canShrink: true,
    },
    { header: 'ABOUT', value: ({ about }) => about, canShrink: true },
    { header: 'RUN', value: ({ runId }) => runId, exact: ({ runId }) => runId },
  ])
  const say = (text: string) => output.note(plainLine(text))
  say(
    `${point}: ${looked} dispatches looked at, ${judged} tried, ${matched} matched; ${changed} would have been different.`,
  )
  if (differences.length < changed) {
    say(`The newest ${differences.length} of them are shown.`)
  }
  if (looked === 0) {
    say(
      'A backtest sees only dispatches in which some hook ran; at this point none did in that time.',
    )
  }
  if (lackingCount > 0) {
    say(
      `${lackingCount} could not be tried, for want of what hooks were given:`,
    )
    const byReason = Map.groupBy(lacking, ({ reason }) => reason)
    for (const [why, some] of byReason) {
      const shown = some.slice(0, 3).map(({ dispatch }) => dispatch)
      const more = some.length > shown.length ? ', …' : ''
      output.note(
        plainLine(`  ${some.length}: ${why} (${shown.join(', ')}${more})`),
      )
    }
  }
  if (isCut) say('Time was up before all of them were looked at.')
}

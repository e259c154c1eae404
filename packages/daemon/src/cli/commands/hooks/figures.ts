import type { Subcommand } from '../../command.ts'
import { duration, exactMs } from '../../output/times.ts'
import { readTime } from '../runs/read-time.ts'

export const figuresCommand: Subcommand = {
  name: 'figures',
  summary: 'Count what hooks did: how often, how long, how many failed.',
  arguments: [{ name: '[hook]', about: 'Of this one only.' }],
  options: [
    { flags: '--since <time>', about: 'From then on: 1h, 7d, or a date.' },
    { flags: '--until <time>', about: 'Up to then.' },
  ],
  examples: [
    { command: 'hookline hooks figures --since 1d', about: 'Of a day.' },
  ],
  async run({ args, connect, options, output }) {
    const client = await connect()
    const [hook] = args
    const since = readTime(options, 'since', { span: 'before' })
    const until = readTime(options, 'until', { span: 'before' })
    const figures = await client.hookFigures({
      ...(hook !== undefined && { hook }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    })
    if (output.isJson) {
      output.json(figures)
      return undefined
    }
    output.table(figures.items, [
      { header: 'HOOK', value: (one) => one.hook, canShrink: true },
      {
        header: 'RUNS',
        value: ({ count, isCut }) => (isCut ? `${count}+` : count),
        align: 'right',
      },
      {
        header: 'FAILED',
        value: ({ failures }) => failures,
        style: ({ failures }) => (failures > 0 ? 'red' : undefined),
        align: 'right',
      },
      { header: 'LATE', value: ({ timeouts }) => timeouts, align: 'right' },
      {
        header: 'PASSED BY FAILURE',
        value: ({ failedOpen }) => failedOpen,
        style: ({ failedOpen }) => (failedOpen > 0 ? 'yellow' : undefined),
        align: 'right',
      },
      { header: 'SKIPPED', value: ({ skipped }) => skipped, align: 'right' },
      ...(['p50', 'p90', 'p99', 'max'] as const).map((name) => ({
        header: name.toUpperCase(),
        value: ({ latency }: (typeof figures.items)[number]) =>
          latency && duration(latency[name]),
        exact: ({ latency }: (typeof figures.items)[number]) =>
          latency && exactMs(latency[name]),
        align: 'right' as const,
      })),
    ])
    return undefined
  },
}

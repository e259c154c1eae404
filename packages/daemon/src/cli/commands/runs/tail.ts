import type { Client } from '../../../protocol/client.ts'
import type { ListedRun } from '../../../protocol/schemas/runs.ts'
import type { Subcommand } from '../../command.ts'
import type { CommandContext } from '../../command-context.ts'
import { plainLine } from '../../output/plain-text.ts'
import { duration, localTime } from '../../output/times.ts'
import { runFilter, runOptions } from './list.ts'
import { answerWords, stateStyle } from './run-columns.ts'

/** After a reconnect some runs come again. */
const maxSeen = 50_000

export const tailCommand: Subcommand = {
  name: 'tail',
  summary: 'Follow what hooks do.',
  about: 'Goes on until it is interrupted.',
  options: [
    ...runOptions,
    { flags: '--last <count>', about: 'Begin with so many; default: 10.' },
  ],
  examples: [
    {
      command: 'hookline runs tail --state failed',
      about: 'Every hook that fails, as it happens.',
    },
    {
      command: 'hookline runs tail --state timed_out',
      about: 'Every hook that takes too long.',
    },
  ],
  async run(context) {
    const { connect, options } = context
    const client = await connect()
    const isNew = createSieve()
    const filter = runFilter(options)
    const items = client.watchRuns(filter)[Symbol.asyncIterator]()
    // From its first item on the stream misses nothing.
    await items.next()
    const last = await lastRuns(client, context)
    for (const run of last) if (isNew(run)) show(run, context)
    for (;;) {
      const next = await items.next()
      if (next.done === true) return undefined
      const item = next.value
      if (item.type === 'run' && isNew(item.run)) show(item.run, context)
      if (item.type === 'lagged') {
        context.output.note(`${item.missed} runs were left out.`)
      }
    }
  },
}

/** The oldest first. */
async function lastRuns(
  client: Client,
  { options }: CommandContext,
): Promise<readonly ListedRun[]> {
  const limit = options.number('last') ?? 10
  if (limit === 0) return []
  const filter = runFilter(options)
  const { items } = await client.listRuns({ ...filter, limit })
  return items
    .filter(({ state }) => state !== 'started' || filter.state === 'started')
    .toReversed()
}

/** Lets a run pass once for each way in which it ended. */
function createSieve(): (run: ListedRun) => boolean {
  const seen = new Set<string>()
  return ({ id, state, attempt }) => {
    const key = `${state} ${attempt} ${id}`
    if (seen.has(key)) return false
    seen.add(key)
    if (seen.size > maxSeen) {
      const [oldest = ''] = seen
      seen.delete(oldest)
    }
    return true
  }
}

function show(run: ListedRun, { output }: CommandContext): void {
  if (output.isJson) {
    output.jsonLine(run)
    return
  }
  const { startedAt, point, hook, state, latencyMs, failure, callId } = run
  const style = stateStyle(run)
  const painted = style === undefined ? state : output.style(style, state)
  const took = latencyMs === undefined ? '' : ` ${duration(latencyMs)}`
  const call = callId === undefined ? '' : ` call ${callId}`
  const why = failure === undefined ? '' : `: ${failure.message}`
  output.line(
    [
      output.style('dim', localTime(startedAt)),
      plainLine(point),
      output.style('bold', plainLine(hook)),
      painted,
      plainLine(`${answerWords(run)}${took}${call}${why}`),
    ].join(' '),
  )
}

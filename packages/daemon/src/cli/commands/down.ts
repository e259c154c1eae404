import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '../../protocol/client.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { holderOf } from '../../server/file-lock.ts'
import { homePaths } from '../../server/home-paths.ts'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { withProgress } from '../output/progress.ts'

const patienceMs = 10_000
const lookEveryMs = 50

export const command: Command = {
  about:
    'Turns that run may end first; what has not ended by then goes on when the daemon is started again.',
  options: [
    {
      flags: '--grace <time>',
      about:
        'How long turns may take, such as 30s or 5m; default: as the daemon was started or configured.',
    },
  ],
  examples: [
    { command: 'hookline down', about: 'As soon as turns have ended.' },
    { command: 'hookline down --grace 0s', about: 'At once.' },
  ],
  async run({ connect, options, env, output }) {
    const client = await connect()
    const { pid } = await client.info()
    const wanted = options.durationMs('grace')
    const { graceMs } = await client.shutdown(
      wanted === undefined ? {} : { graceMs: wanted },
    )
    const { lock } = homePaths({ path: options.text('home'), env })
    // One that is reached at a distance has no home here.
    const isGone = async () =>
      (await isSilent(client)) && holderOf(lock) !== pid
    const end = waitFor(isGone, graceMs + patienceMs)
    const hasEnded = await withProgress(output, 'Waiting for turns to end', end)
    if (!hasEnded) {
      const message = `The daemon (process ${pid}) was told to stop, and has not.`
      const hint = `Wait, or end it: kill ${pid}`
      throw new CliError('failed', message, { hint })
    }
    if (output.isJson) output.json({ pid, hasEnded })
    else output.line('The daemon has stopped.')
    return undefined
  },
}

async function waitFor(
  isSo: () => Promise<boolean>,
  withinMs: number,
): Promise<boolean> {
  const endMs = performance.now() + withinMs
  while (performance.now() < endMs) {
    if (await isSo()) return true
    await wait(lookEveryMs)
  }
  return false
}

/** One that lets requests end says that it stops; it has not yet. */
async function isSilent(client: Client): Promise<boolean> {
  try {
    await client.health()
    return false
  } catch (error) {
    return error instanceof ProtocolError && error.code === 'unavailable'
  }
}

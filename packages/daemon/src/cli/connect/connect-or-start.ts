import { resolve } from 'node:path'
import type { Client } from '../../protocol/client.ts'
import type { CommandContext } from '../command-context.ts'
import { withProgress } from '../output/progress.ts'
import { connectRunning } from './connect-running.ts'
import { readyModels, scriptedModels } from './scripted-models.ts'

/** A daemon that somebody runs, or one of our own that ends with us. */
export interface Connection {
  readonly client: Client
  readonly isEmbedded: boolean
  close(): Promise<void>
}

/** A look is at hooks and files: it leaves turns and jobs of others alone. */
type Purpose = 'turn' | 'look'

const graceMs = 2_000

/**
 * Uses the daemon that runs for this project; without one, a daemon is started
 * in this process, for as long as the command takes.
 */
export async function connectOrStart(
  context: CommandContext,
  purpose: Purpose,
): Promise<Connection> {
  const client = await connectRunning(context)
  if (client !== undefined) {
    const close = () => Promise.resolve(client.close())
    return { client, isEmbedded: false, close }
  }
  return await startEmbedded(context, purpose)
}

async function startEmbedded(
  { options, env, output }: CommandContext,
  purpose: Purpose,
): Promise<Connection> {
  const root = resolve(options.text('root') ?? '.')
  const home = options.text('home')
  const isForTurn = purpose === 'turn'
  const start = async () => {
    const models = await (isForTurn ? readyModels : scriptedModels)(env)
    const { startDaemon } = await import('../../start-daemon.ts')
    const { createLog } = await import('../../log/create-log.ts')
    return await startDaemon({
      root,
      // The command tells what happens; the log, what should not.
      log: createLog({ level: 'error' }),
      ...(home !== undefined && { home }),
      ...(models !== undefined && { models }),
      isEmbedded: true,
      isOwnProcess: true,
      takesOver: isForTurn,
    })
  }
  const daemon = await withProgress(output, 'Starting', start())
  const close = () => daemon.close({ graceMs })
  return { client: daemon.client, isEmbedded: true, close }
}

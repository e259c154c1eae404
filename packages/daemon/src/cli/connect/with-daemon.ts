import type { Client } from '../../protocol/client.ts'
import type { CommandContext } from '../command-context.ts'
import { connectOrStart } from './connect-or-start.ts'

/** Asks the daemon that runs, or one that is there for no more than this. */
export async function withDaemon<T>(
  context: CommandContext,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const connection = await connectOrStart(context, 'look')
  try {
    return await work(connection.client)
  } finally {
    await connection.close()
  }
}

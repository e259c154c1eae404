import { existsSync } from 'node:fs'
import type { RecordsClient } from '../../open-records.ts'
import { type Client, createClient } from '../../protocol/client.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { CommandContext } from '../command-context.ts'
import { givenUrl } from '../open/note-inspector.ts'
import { findDaemon } from './find-daemon.ts'
import { findStore } from './find-store.ts'

/** Who answers: a daemon, which has pages as well, or the store itself. */
export interface Records {
  readonly client: RecordsClient
  readonly daemon: Client | undefined
}

/**
 * Asks about what is on record: the daemon, or its store where none runs. No
 * hook is loaded for it, and nobody's session is taken over.
 */
export async function withRecords<T>(
  context: CommandContext,
  work: (records: Records) => Promise<T>,
): Promise<T> {
  const daemon = await runningDaemon(context)
  if (daemon !== undefined) return await work({ client: daemon, daemon })
  const { file, open } = await findStore(context)
  // Where there is nothing to read, whoever asks is told how to begin.
  if (file !== undefined && !existsSync(file)) await context.connect()
  const { openRecords } = await import('../../open-records.ts')
  const store = await open()
  try {
    return await work({ client: openRecords(store), daemon: undefined })
  } finally {
    await store.close()
  }
}

/** Undefined where none answers, unless one was named. */
async function runningDaemon(
  context: CommandContext,
): Promise<Client | undefined> {
  if (givenUrl(context) !== undefined) return await context.connect()
  const place = findDaemon(context)
  if (place === undefined) return undefined
  const client = createClient(place)
  try {
    await client.info()
    return client
  } catch (error) {
    client.close()
    const isAway =
      error instanceof ProtocolError && error.code === 'unavailable'
    if (isAway) return undefined
    throw error
  }
}

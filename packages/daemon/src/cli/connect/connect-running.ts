import { resolve } from 'node:path'
import { type Client, createClient } from '../../protocol/client.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { CommandContext } from '../command-context.ts'
import { findDaemon } from './find-daemon.ts'
import { isWithin } from './is-within.ts'

/** The daemon that runs for this project; undefined where none does. */
export async function connectRunning({
  options,
  env,
  output,
}: Pick<CommandContext, 'options' | 'env' | 'output'>): Promise<
  Client | undefined
> {
  const root = resolve(options.text('root') ?? '.')
  const isNamed = (options.text('url') ?? env['HOOKLINE_URL'] ?? '') !== ''
  const place = options.flag('alone') ? undefined : findDaemon({ options, env })
  if (place === undefined) return undefined
  const client = createClient(place)
  const theirs = await rootOf(client)
  if (isNamed || (theirs !== undefined && isWithin(root, theirs))) {
    if (theirs === undefined) await client.info()
    return client
  }
  client.close()
  if (theirs !== undefined) {
    output.note(
      `The daemon that runs is for ${theirs}; this runs by itself, in ${root}.`,
    )
  }
  return undefined
}

/** The project of a daemon; undefined where none runs. */
async function rootOf(client: Client): Promise<string | undefined> {
  try {
    const { root } = await client.info()
    return root
  } catch (error) {
    if (error instanceof ProtocolError && error.code === 'unavailable') {
      return undefined
    }
    throw error
  }
}

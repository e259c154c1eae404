import { type Client, createClient } from '../../../protocol/client.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import { findDaemon } from '../../connect/find-daemon.ts'
import { isWithin } from '../../connect/is-within.ts'
import type { BridgeOrder } from './bridge-order.ts'
import type { BridgeReply } from './bridge-reply.ts'

export interface Asking {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/**
 * What the daemon says that runs for this folder; undefined where there is
 * none, and nothing has been asked of anybody.
 */
export async function askDaemon(
  order: BridgeOrder,
  read: Promise<string>,
  { env, signal }: Asking,
): Promise<BridgeReply | undefined> {
  const { dialect, event, options } = order
  const place = findDaemon({ options, env })
  if (place === undefined) return undefined
  const client = createClient(place)
  try {
    // Whose daemon it is is asked while the input comes in.
    const ours = 'url' in place || isOurs(client, order, signal)
    const [isFound, stdin] = await Promise.all([ours, read])
    if (!isFound) return undefined
    const asked = { dialect, stdin, ...(event !== undefined && { event }) }
    return await client.bridge(asked, { signal })
  } catch (error) {
    if (isNobody(error)) return undefined
    throw error
  } finally {
    client.close()
  }
}

async function isOurs(
  client: Client,
  { root: folder }: BridgeOrder,
  signal: AbortSignal,
): Promise<boolean> {
  const { root } = await client.info({}, { signal })
  return isWithin(folder, root)
}

/**
 * Whether no daemon can have begun: none listens, or it stops and takes
 * nothing more. Of one that went away while it was asked nobody knows.
 */
function isNobody(error: unknown): boolean {
  if (!(error instanceof ProtocolError)) return false
  if (error.code === 'shutting-down') return true
  const { code }: { readonly code?: unknown } = Object(error.cause)
  return code === 'ECONNREFUSED' || code === 'ENOENT'
}

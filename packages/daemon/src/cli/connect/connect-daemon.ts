import { type Client, createClient } from '../../protocol/client.ts'
import { CliError } from '../cli-error.ts'
import { type FindOptions, findDaemon } from './find-daemon.ts'

/** Of the daemon that is there. Whether it answers shows when it is asked. */
export async function connectDaemon(options: FindOptions): Promise<Client> {
  const place = findDaemon(options)
  if (place === undefined) {
    throw new CliError('unreachable', 'No daemon has run here yet.', {
      hint: 'Start one with "hookline up", or name the one you mean with --home or --url.',
    })
  }
  return createClient(place)
}

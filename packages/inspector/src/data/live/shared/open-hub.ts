import { openClient } from '../../open-client.ts'
import { StreamHub } from './stream-hub.ts'

/** Reads from the daemon that this page, or worker, came from. */
export function openHub(): StreamHub {
  return new StreamHub({
    open: (token, signal, onOpen) =>
      openClient({ token, onOpen }).watchAll({}, { signal }),
  })
}

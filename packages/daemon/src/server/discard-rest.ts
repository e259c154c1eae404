import type { IncomingMessage } from 'node:http'

const restBytes = 8 * 1_048_576

/**
 * Reads what is left of a request that is refused, so that whoever sends it
 * gets to the answer; but no more of it than is polite.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete) return
  let bytes = 0
  request.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > restBytes) request.destroy()
  })
}

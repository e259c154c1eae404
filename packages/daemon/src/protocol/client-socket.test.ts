import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { socketTransport } from './client-socket.ts'

/** Asks twice, one after the other, and counts the connections that it took. */
async function connectionsTo(keepAliveTimeout: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-socket-'))
  const socket = join(folder, 'socket')
  let connections = 0
  const server = createServer({ keepAliveTimeout }, (_, response) => {
    response.end('Yes.')
  })
  server.on('connection', () => connections++)
  server.listen(socket)
  await once(server, 'listening')
  const transport = socketTransport(socket)
  onTestFinished(() => {
    transport.close()
    server.close()
    rmSync(folder, { recursive: true })
  })
  for (let asked = 0; asked < 2; asked++) {
    const given = { method: 'POST', path: '/', headers: {}, body: '{}' }
    const answer = await transport.send({ ...given, signal: undefined })
    expect(await answer.text()).toBe('Yes.')
    // It is free again when all of this has been done.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return connections
}

test('a connection is used again only if the server closes it much later than we would', async () => {
  expect(await connectionsTo(30_000)).toBe(1)
  expect(await connectionsTo(5_000)).toBe(2)
})

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { homePaths } from '../server/home-paths.ts'
import { type DaemonProcess, startProcess } from './fixtures/daemon-process.ts'
import { tell, until } from './fixtures/live-daemon.ts'
import { siteForEach } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const site = siteForEach()

async function start(...before: readonly string[]): Promise<DaemonProcess> {
  return await startProcess(site, { before })
}

/** So many as it takes, and then some that it does not. */
async function connectMany(
  path: string,
  count: number,
  between: () => Promise<unknown>,
) {
  const sockets: Socket[] = []
  let refused = 0
  for (let made = 0; made < count; made++) {
    const socket = connect(path)
    socket.on('error', () => {})
    socket.on('close', () => refused++)
    sockets.push(socket)
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
    if (made % 10 === 0) await between()
  }
  return { sockets, refused: () => refused }
}

test('F207 whoever opens all connections there are keeps no hook, tool or record from their files', async () => {
  const guard = `echo judged >> ${site.base}/guard.log`
  site.write(
    'user/hooks.yaml',
    `hooks:
  - { name: guard, on: tool.guard, handler: { type: command, shell: '${guard}' } }
`,
  )
  const { client } = await start('prlimit', '--nofile=160:160')
  // One connection is ours before there are no more.
  const { id: sessionId } = await client.createSession({})
  const { socket } = homePaths({ path: site.home })
  // One that nobody uses for a while would be closed.
  const keep = () => client.health()
  const many = await connectMany(socket, 200, keep)
  await until(async () => (await keep()) && many.refused() > 100)
  const calls = ['a', 'b', 'c', 'd'].map((name) => {
    return { tool: 'write', args: { path: `${name}.txt`, content: name } }
  })
  const { results } = await tell(client, calls, sessionId)
  expect(results.map(({ isError }) => isError)).toEqual(calls.map(() => false))
  expect(site.read('guard.log')).toBe('judged\n'.repeat(4))
  expect(site.read('root/d.txt')).toBe('d')
  for (const one of many.sockets) one.destroy()
  const other = await until(() => client.health().catch(() => undefined))
  expect(other.status).toBe('ok')
})

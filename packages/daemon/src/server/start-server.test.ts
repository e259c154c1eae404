import { afterEach, expect, test } from 'vitest'
import { createClient } from '../protocol/client.ts'
import { ProtocolError } from '../protocol/errors.ts'
import {
  closeAll,
  onClose,
  startSmall,
  until,
} from './fixtures/small-server.ts'

afterEach(closeAll)

test('a client asks over the socket and over the port', async () => {
  const { client, url, home } = await startSmall()
  const overPort = createClient({ url, token: home.token })
  onClose(() => overPort.close())
  for (const one of [client, overPort]) {
    expect(await one.health()).toEqual({ status: 'ok', version: '1.0.0' })
    const { id } = await one.createSession({ agent: 'a/b c?', cwd: '/ä' })
    expect(await one.getSession({ sessionId: id })).toMatchObject({
      agent: 'a/b c?',
      cwd: '/ä',
    })
    expect(await one.metrics()).toContain('hookline_up 1')
    expect((await one.listSessions({ limit: 1 })).items).toHaveLength(1)
    const lines: unknown[] = []
    for await (const line of one.exportSession({ sessionId: id }))
      lines.push(line)
    expect(lines).toHaveLength(1_000)
  }
})

test('an error arrives with its code, its problems and what to do', async () => {
  const { client } = await startSmall()
  const failed = await client
    .getSession({ sessionId: 'none' })
    .catch((error) => error)
  expect(failed).toBeInstanceOf(ProtocolError)
  expect(failed.code).toBe('not-found')
  const bad = await client.listSessions({ limit: 0 }).catch((error) => error)
  expect(bad.code).toBe('bad-request')
  expect(bad.problems).toEqual([
    { path: 'limit', message: expect.stringContaining('1') },
  ])
})

test('a stream goes on from its cursor', async () => {
  const { client, small } = await startSmall()
  small.log.append('one')
  small.log.append('two')
  const seen: string[] = []
  for await (const item of client.watchAll({ after: '1' })) {
    if (item.type !== 'notice') continue
    seen.push(item.name)
    if (seen.length === 1) small.log.append('three')
    else break
  }
  expect(seen).toEqual(['two', 'three'])
  await until(() => small.log.open === 0, 'the stream is let go')
})

import { expect, test, vi } from 'vitest'
import { startHere } from './fixtures/live-daemon.ts'
import { siteForEach } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const site = siteForEach()

test('a key that comes again after a restart is answered with how its turn ended, and why', async () => {
  site.write(
    'user/hooks.yaml',
    `hooks:
  - { name: refuses, on: turn.pre_turn, handler: { type: command, shell: 'echo "Not on a Sunday." >&2; exit 2' } }
`,
  )
  const one = await startHere(site)
  const { id: sessionId } = await one.client.createSession({})
  const asked = { sessionId, input: '[]', key: 'k', wait: true }
  const { cursor: _, ...first } = await one.client.send(asked)
  expect(first).toMatchObject({
    status: 'rejected',
    reason: expect.stringContaining('Not on a Sunday.'),
  })
  await one.close()
  const two = await startHere(site)
  const again = await two.client.send(asked)
  expect(again).toEqual({ ...first, isDuplicate: true })
  const other = two.client.send({ ...asked, input: '[ ]' })
  await expect(other).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('of its own'),
  })
})

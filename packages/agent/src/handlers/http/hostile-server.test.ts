import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { askServer } from './fixtures/ask-server.ts'
import { brokenReplies, type HostileRow } from './fixtures/hostile-replies.ts'
import { startHostile } from './fixtures/hostile-server.ts'
import { withoutLeaks } from './fixtures/leaks.ts'
import { openSender, until } from './fixtures/send.ts'
import { wrongReplies } from './fixtures/wrong-replies.ts'
import type { HttpSender } from './http-sender.ts'

const policies = ['closed', 'open'] as const

const rows: readonly HostileRow[] = [...brokenReplies, ...wrongReplies]

describe.for(policies)('under the policy %s', (onFailure) => {
  for (const row of rows) {
    test(`${row.name} is no answer`, async () => {
      await withoutLeaks(() => checkRow(row, onFailure))
    })
  }

  test('all of them, four at a time by one sender, are no answers', async () => {
    await withoutLeaks(async () => {
      await using shared = openSender()
      const left = [...rows]
      const work = async () => {
        for (let row = left.pop(); row; row = left.pop()) {
          await checkRow(row, onFailure, shared)
        }
      }
      await Promise.all(Array.from({ length: 4 }, work))
    })
  }, 60_000)
})

const timeoutMs = 20_000

async function checkRow(
  { serve, code, handler, hook, diagnostic, requests = 1, drips }: HostileRow,
  onFailure: 'closed' | 'open',
  shared?: HttpSender,
): Promise<void> {
  await using server = await startHostile(serve)
  const url = `http://127.0.0.1:${server.port}/hook?token=canary`
  const isLate = code === 'timed-out'
  const clock = createFakeClock()
  const asking = askServer({
    handler: { url, allowPrivate: true, ...handler },
    hook: { ...hook, onFailure, ...(isLate && { timeoutMs }) },
    ...(shared && { shared }),
    ...(isLate && { clock }),
  })
  if (isLate) {
    await until(() => server.seen.length === requests)
    await clock.advance(timeoutMs / 2)
    // What comes meanwhile puts nothing off.
    const toldBytes = server.writtenBytes
    if (drips) await until(() => server.writtenBytes > toldBytes + 2)
    await clock.advance(timeoutMs / 2)
  }
  const asked = await asking
  const { type, reason = '', record, diagnostics } = asked
  expect(server.seen).toHaveLength(requests)
  // The engine and the sender keep the same time; either may be first.
  const isEngines = code === 'timed-out' && record.state === 'timed_out'
  if (!isEngines) expect(diagnostics).toContain(`handler.${code}`)
  if (diagnostic !== undefined) expect(diagnostics).toContain(diagnostic)
  expect(JSON.stringify(record)).not.toContain('canary')
  expect(record.failedOpen).toBe(onFailure === 'open')
  expect(type).toBe(onFailure === 'open' ? 'proceed' : 'reject')
  expect(reason).toMatch(onFailure === 'open' ? /^$/ : /^hook_error:/)
}

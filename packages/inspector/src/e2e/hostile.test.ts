import { expect, test } from 'vitest'
import { stageInspector } from '../fixtures/stage.ts'

const attack =
  '<img src=x onerror="window.wasHit=1"><script>window.wasHit=1</script>\u001b[31mred\u202Etxt.exe\u200b [a](javascript:window.wasHit=1)'

const rejecting = `process.stdout.write(${JSON.stringify(
  JSON.stringify({ type: 'reject', reason: attack }),
)})`

const stage = stageInspector({
  config: JSON.stringify({
    hooks: [
      {
        name: 'hostile',
        on: 'tool.guard',
        match: { tool: 'glob' },
        handler: { type: 'command', argv: ['node', '-e', rejecting] },
      },
    ],
  }),
})

test('what others write is shown as it is, and does nothing', async () => {
  stage.daemon.script((request) =>
    request.messages.at(-1)?.role === 'tool'
      ? { text: attack, reasoning: attack }
      : { text: attack, calls: [{ tool: 'glob', args: { pattern: attack } }] },
  )
  const { client } = stage.daemon
  const { id: sessionId } = await client.createSession({})
  const { status } = await client.send({ sessionId, input: attack, wait: true })
  expect(status).toBe('succeeded')
  const path = `/sessions/${sessionId}`
  const { page } = await stage.open({ path })
  const log = page.getByRole('log')
  await log.getByRole('button', { name: /glob.*Denied/ }).click()
  // What a person said, what the agent said twice, the call, its arguments, the reason.
  await log.getByText('<img src=x').nth(4).waitFor()
  await log.getByText('It was denied by the hook "hostile".').waitFor()
  expect(await log.getByText('‹U+202E›').count()).toBeGreaterThan(3)
  expect(await log.getByText('␛').count()).toBeGreaterThan(3)
  expect(await page.locator('main img, main script, main iframe').count()).toBe(
    0,
  )
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
  expect(await page.evaluate(() => 'wasHit' in window)).toBe(false)
})

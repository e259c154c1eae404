import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { longestTask } from '../fixtures/longest-task.ts'
import { pressPair } from '../fixtures/press-pair.ts'
import { savedFile } from '../fixtures/saved-file.ts'
import { stageInspector, until } from '../fixtures/stage.ts'

const attack =
  '<img src=x onerror="window.wasHit=1"><script>window.wasHit=1</script>\u001b[31mred\u202Etxt.exe\u200b'

const asking = `process.stdout.write(${JSON.stringify(
  JSON.stringify({ type: 'ask', question: `${attack} Really?` }),
)})`

const stage = stageInspector({
  config: JSON.stringify({
    policy: { maxOutputBytes: 20_000_000 },
    hooks: [
      {
        name: 'hostile',
        on: 'tool.guard',
        match: { tool: 'write' },
        handler: { type: 'command', argv: ['node', '-e', asking] },
      },
    ],
  }),
})

const hasResult = ({ messages }: { messages: readonly { role: string }[] }) =>
  messages.at(-1)?.role === 'tool'

/** Keys still lead somewhere, soon. */
async function isResponsive(page: Page): Promise<void> {
  const sessions = page.getByRole('list', { name: 'Sessions' })
  await pressPair(page, 'g s', sessions)
}

test('T47 a call of megabytes, asked about in hostile words: what is left out is said, and asked once more', async () => {
  const content = `${attack} ${'x'.repeat(2_000_000)}`
  stage.daemon.script((request) =>
    hasResult(request)
      ? { text: 'Done.' }
      : { calls: [{ tool: 'write', args: { path: attack, content } }] },
  )
  const { client } = stage.daemon
  const { id: sessionId } = await client.createSession({})
  await client.send({ sessionId, input: 'Write it.' })
  let approvalId = ''
  await until(async () => {
    const [first] = (await client.listApprovals({})).items
    expect(first?.isCut).toBe(true)
    approvalId = first?.id ?? ''
  })
  const { page, go } = await stage.open({
    path: hrefOf('approval', { approvalId }),
  })
  await page.getByText('Not all of it is shown').waitFor()
  await page.getByText('Really?').first().waitFor()
  // What is shown of a call has such characters written out.
  await page.getByText('\\u{202e}').first().waitFor()
  await page.getByRole('button', { name: 'Modify' }).click()
  const form = page.getByRole('form', { name: 'Other arguments' })
  await form.getByText('too long to be changed here').waitFor()
  await form.getByText('characters that a field does not show').waitFor()
  await form.getByRole('button', { name: 'Back' }).click()
  await isResponsive(page)
  await go(hrefOf('session', { sessionId }))
  await page.getByText('Waits for a yes').waitFor()
  await isResponsive(page)
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(await page.evaluate(() => 'wasHit' in window)).toBe(false)
  // A call that is not shown whole is asked about once more.
  await go(hrefOf('approval', { approvalId }))
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page
    .getByRole('group', { name: 'Once more' })
    .getByText('Not all of the call is shown.')
    .waitFor()
  const { shownHash } = await client.getApproval({ approvalId })
  await client.answerApproval({ approvalId, shownHash, type: 'deny' })
  await page.getByText('Denied by user:owner').first().waitFor()
})

test('ten megabytes of a tool are read part by part, and saved whole', async () => {
  const line = 'All work and no play makes "Jack" a dull boy.'
  const count = 200_000
  stage.daemon.script((request) =>
    hasResult(request)
      ? { text: 'That was long.' }
      : {
          calls: [
            {
              id: 'long',
              tool: 'read',
              args: { path: 'huge.txt', limit: count },
            },
          ],
        },
  )
  const huge = `${line}\n`.repeat(count)
  await writeFile(join(stage.daemon.root, 'huge.txt'), huge)
  const { client } = stage.daemon
  const { id: sessionId } = await client.createSession({})
  const sent = { sessionId, input: 'Read it.', wait: true }
  expect(await client.send(sent)).toMatchObject({ status: 'succeeded' })
  const { length } = await client.getResult({ sessionId, callId: 'long' })
  expect(length).toBeGreaterThan(10_000_000)
  const { page } = await stage.open({ path: hrefOf('session', { sessionId }) })
  const log = page.getByRole('log')
  await log.getByText('That was long.').waitFor()
  let saved = { name: '', text: '' }
  const blockedMs = await longestTask(page, async () => {
    await log.getByRole('button', { name: /read.*huge/ }).click()
    const result = log.getByRole('region', { name: 'Large result' })
    const all = length.toLocaleString('en')
    await result.getByText(`characters 1 to 100,000 of ${all}`).waitFor()
    await result.getByText(line).waitFor()
    await result.getByRole('button', { name: 'Later part' }).click()
    await result.getByText(`characters 100,001 to 200,000 of ${all}`).waitFor()
    saved = await savedFile(page, () =>
      result.getByRole('button', { name: 'Save all of it' }).click(),
    )
  })
  const { name, text } = saved
  expect(name).toBe('read-long.txt')
  expect(text).toHaveLength(length)
  expect(text.split(line)).toHaveLength(count + 1)
  console.log(`10 MB of a tool: at most ${Math.round(blockedMs)} ms at once`)
  // 8 where nothing else runs; five times that on a machine that is slow.
  expect(blockedMs).toBeLessThan(200)
  await isResponsive(page)
})

test('ten megabytes of the model are drawn in slices, and what is left out is said', async () => {
  const huge = 'All work and no play. '.repeat(450_000)
  stage.daemon.script(() => ({ text: huge, chunks: 20 }))
  const { client } = stage.daemon
  const { id: sessionId } = await client.createSession({})
  await client.send({ sessionId, input: 'Write a book.', wait: true })
  const { page } = await stage.open({ path: hrefOf('session', { sessionId }) })
  const log = page.getByRole('log')
  const more = log.getByRole('button', { name: 'Show more' })
  await more.waitFor()
  await log.getByText('The rest is left out here').waitFor()
  const drawn = () => log.innerText().then((text) => text.length)
  const before = await drawn()
  expect(before).toBeLessThan(20_000)
  await more.click()
  await until(async () => expect(await drawn()).toBeGreaterThan(before))
  expect(await drawn()).toBeLessThan(30_000)
  await isResponsive(page)
})

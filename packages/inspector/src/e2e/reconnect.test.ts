import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@hookline/daemon/client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { connectChromium } from '../fixtures/connect-chromium.ts'
import { openLine } from '../fixtures/cut-line.ts'
import {
  type DaemonProcess,
  startDaemonProcess,
} from '../fixtures/daemon-process.ts'
import { patienceMs } from '../fixtures/inspector-page.ts'
import { until } from '../fixtures/stage.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let browser: Browser
let daemon: DaemonProcess

beforeAll(async () => {
  daemon = await startDaemonProcess(`
- text: The first word.
- text: The second word.
- text: The third word.
`)
  browser = await connectChromium()
})
afterAll(async () => {
  await browser?.close()
  await daemon?.remove()
})

async function openPage(): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(patienceMs)
  return await context.newPage()
}

const away = 'The daemon cannot be reached.'

test('"hookline open" prints a link that leads in, and to the place that was asked for', async () => {
  const link = await daemon.run('open', '/sessions?state=ended', '--print')
  expect(link).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+\/sessions\?state=ended#code=hkl_login_/,
  )
  const page = await openPage()
  await page.goto(link)
  await page.getByLabel('State').waitFor()
  expect(page.url()).toBe(`${daemon.url}/sessions?state=ended`)
  expect(await page.getByLabel('State').inputValue()).toBe('ended')
  await page.context().close()
})

/** On the way that was given, or straight. */
async function openAt(path: string, url = daemon.url): Promise<Page> {
  const page = await openPage()
  const link = new URL(await daemon.run('open', path, '--print'))
  await page.goto(`${url}${link.pathname}${link.hash}`)
  return page
}

test('a page outlives its line to the daemon, goes on where it was, and misses nothing', async () => {
  const line = await openLine(daemon.url)
  onTestFinished(() => line.close())
  const page = await openAt('/live', line.url)
  await page.getByLabel('Write to the agent').fill('Say something.')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByText('The first word.').waitFor()
  const sessionId = page.url().split('/').at(-1) ?? ''

  line.cut()
  await page.getByText(away).waitFor()
  // What was there stays to be read.
  expect(await page.getByText('The first word.').count()).toBe(1)
  const token = await daemon.ownerToken()
  const other = createClient({ url: daemon.url, token })
  await other.send({ sessionId, input: 'Meanwhile.', wait: true })
  line.mend()
  await page.getByText('Connected').waitFor()
  await page.getByText(away).waitFor({ state: 'detached' })
  await page.getByRole('log').getByText('Meanwhile.').waitFor()
  await page.getByLabel('Write to the agent').fill('And again.')
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('And again.').waitFor()
  await page.getByText('The third word.').waitFor()
  for (const words of [
    'Say something.',
    'The first word.',
    'The second word.',
  ]) {
    expect([words, await page.getByText(words).count()]).toEqual([words, 1])
  }
  expect(page.url()).toContain(sessionId)
  await page.context().close()
})

test('approvals outlive the daemon, and who was in is told how to come back', async () => {
  await daemon.kill()
  await daemon.script(`
- calls:
    - { tool: write, args: { path: note.txt, content: Kept. } }
`)
  await daemon.start()
  const { items } = JSON.parse(await daemon.run('sessions', '--json'))
  const sessionId = String(items[0]?.id)
  const page = await openAt(`/sessions/${sessionId}`)
  await page.getByLabel('Write to the agent').fill('Write it.')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Open in approvals' }).click()
  const approve = page.getByRole('button', { name: 'Approve', exact: true })
  await approve.waitFor()
  const { pathname } = new URL(page.url())
  const guest = await openAt(pathname)
  await guest.getByText('note.txt').first().waitFor()

  await daemon.kill()
  for (const one of [page, guest]) await one.getByText(away).waitFor()
  await daemon.script('- text: It is written.\n')
  await daemon.start()
  for (const one of [page, guest]) {
    await one.getByText('You are no longer signed in').waitFor()
    // What has to be typed leads to the same place.
    await one.getByText(`hookline open ${pathname}`).waitFor()
    await one.goto(await daemon.run('open', pathname, '--print'))
    await one.getByText('note.txt').first().waitFor()
  }
  const list = page.getByRole('list', { name: 'Waiting' })
  await list.getByText('note.txt').waitFor()
  expect(await list.getByRole('link').count()).toBe(1)
  await approve.click()
  await guest.getByText('Approved by user:owner').first().waitFor()
  await list.getByRole('link').waitFor({ state: 'detached' })
  await until(async () => {
    const written = await readFile(join(daemon.root, 'note.txt'), 'utf8')
    expect(written).toBe('Kept.')
  })
  for (const one of [page, guest]) await one.context().close()
})

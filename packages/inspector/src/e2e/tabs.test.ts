import { createClient } from '@hookline/daemon/client'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { tokenOf } from '../fixtures/principal-token.ts'
import { stageInspector, until } from '../fixtures/stage.ts'

const stage = stageInspector({
  async before(daemon) {
    daemon.script(({ messages }) => ({ text: `Answer ${messages.length}.` }))
  },
})

/** More than a browser has connections to one place: it has six. */
const many = 9

async function openTab(context: BrowserContext, path: string): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(`${stage.daemon.url}${path}`)
  return tab
}

async function startSession(input: string): Promise<string> {
  const { client } = stage.daemon
  const { id: sessionId } = await client.createSession({})
  await client.send({ sessionId, input, wait: true })
  return sessionId
}

/** How many the daemon has open, whoever reads them. */
async function openStreams(): Promise<number> {
  const text = await stage.daemon.client.metrics()
  return Number(/^hookline_open_streams (\d+)$/m.exec(text)?.[1])
}

test('as many tabs as somebody likes are alive, whichever of them are closed', async () => {
  const { client } = stage.daemon
  const { page, context } = await stage.open({ path: '/sessions' })
  const tabs = new Map<string, Page>()
  for (let count = 0; count < many; count++) {
    const sessionId = await startSession(`Hello ${count}.`)
    const tab = await openTab(context, hrefOf('session', { sessionId }))
    await tab.getByRole('log').getByText(`Hello ${count}.`).waitFor()
    tabs.set(sessionId, tab)
  }
  const visible = [...tabs.values()].map((tab) =>
    tab.evaluate(() => document.visibilityState),
  )
  expect(new Set(await Promise.all(visible))).toEqual(new Set(['visible']))
  await page.getByText(`${many} sessions`).waitFor()
  const sayToAll = async (words: string) => {
    const hear = async ([sessionId, tab]: [string, Page]) => {
      await client.send({ sessionId, input: words })
      await tab.getByRole('log').getByText(words).waitFor()
      await tab.getByText('Connected').first().waitFor()
    }
    await Promise.all([...tabs].map(hear))
  }
  await sayToAll('Are you there?')
  // The first ones began what the others share.
  const [first] = tabs.keys()
  await page.close()
  await tabs.get(first ?? '')?.close()
  tabs.delete(first ?? '')
  await sayToAll('And now?')
  await until(async () => expect(await openStreams()).toBe(1))
  await Promise.all([...tabs.values()].map((tab) => tab.close()))
  await until(async () => expect(await openStreams()).toBe(0))
})

/** A tab of somebody else, in a browser where others are in. */
async function openAs(context: BrowserContext, name: string): Promise<Page> {
  const { url } = stage.daemon
  const token = await tokenOf(stage.daemon, name)
  const { code } = await createClient({ url, token }).createLogin()
  const tab = await openTab(context, `/sessions#code=${code}`)
  await tab.getByRole('button', { name: `Continue as user:${name}` }).click()
  return tab
}

test('tabs of different people are alive beside each other, and where they are too many one is told', async () => {
  const { url, client } = stage.daemon
  const path = '/sessions'
  const { page, context } = await stage.open({ path, isApart: true })
  const second = await openAs(context, 'second')
  const third = await openAs(context, 'third')
  await until(async () => expect(await openStreams()).toBe(3))
  const { length: count } = (await client.listSessions({})).items
  await client.createSession({})
  for (const tab of [page, second, third]) {
    await tab.getByText(`${count + 1} sessions`).waitFor()
  }
  const fourth = await openAs(context, 'fourth')
  await fourth.getByText('This page does not see what happens').waitFor()
  // It answers all the same.
  await fourth.getByText(`${count + 1} sessions`).waitFor()
  // Who signs out ends what was theirs, and nothing of the others.
  await second.goto(`${url}/settings`)
  await second.getByRole('button', { name: 'Sign out' }).click()
  await fourth.getByText('Connected').waitFor()
  // The daemon hears of an end later than whoever gets its place.
  await until(async () => expect(await openStreams()).toBe(3))
  await client.createSession({})
  for (const tab of [page, third, fourth]) {
    await tab.getByText(`${count + 2} sessions`).waitFor()
  }
})

test('a browser that cannot share reads for itself', async () => {
  const { client } = stage.daemon
  const { page, context } = await stage.open({ isApart: true })
  await context.addInitScript(() =>
    Reflect.deleteProperty(globalThis, 'SharedWorker'),
  )
  const sessionId = await startSession('Hello.')
  await page.goto(`${stage.daemon.url}${hrefOf('session', { sessionId })}`)
  await page.getByRole('log').getByText('Hello.').waitFor()
  expect(await page.evaluate(() => typeof SharedWorker)).toBe('undefined')
  await client.send({ sessionId, input: 'Once more.' })
  await page.getByRole('log').getByText('Once more.').waitFor()
  await page.getByText('Connected').first().waitFor()
})

test('where the tab crashes that began what all share, the others go on', async () => {
  const { client } = stage.daemon
  const path = '/sessions'
  const { page, context } = await stage.open({ path, isApart: true })
  const sessionId = await startSession('Begin.')
  const other = await context.newPage()
  await other.clock.install()
  await other.goto(stage.daemon.url + hrefOf('session', { sessionId }))
  await other.getByRole('log').getByText('Begin.').waitFor()
  const crashed = page.waitForEvent('crash')
  const devtools = await context.newCDPSession(page)
  // It cannot answer this any more.
  void devtools.send('Page.crash').catch(() => undefined)
  await crashed
  await page.close()
  // Nothing is heard for so long that it is looked for twice.
  await other.clock.fastForward(15_000)
  await other.clock.fastForward(15_000)
  await client.send({ sessionId, input: 'Still there?' })
  await other.getByRole('log').getByText('Still there?').waitFor()
  await until(async () => expect(await openStreams()).toBe(1))
})

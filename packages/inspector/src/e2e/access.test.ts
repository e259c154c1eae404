import { createClient } from '@hookline/daemon/client'
import { expect, onTestFinished, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { serveForeignSite } from '../fixtures/foreign-site.ts'
import { codeOf, seriousViolations } from '../fixtures/inspector-page.ts'
import { tokenOf } from '../fixtures/principal-token.ts'
import { stageInspector, until } from '../fixtures/stage.ts'

const stage = stageInspector()

/** A question that waits, for others to try and answer. */
async function askToWrite() {
  const { daemon } = stage
  daemon.script(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'Done.' }
      : { calls: [{ tool: 'write', args: { path: 'a', content: 'A' } }] },
  )
  const { id: sessionId } = await daemon.client.createSession({})
  await daemon.client.send({ sessionId, input: 'Write.' })
  return await until(async () => {
    const { items } = await daemon.client.listApprovals({ sessionId })
    const { id: approvalId, shownHash } = items[0] ?? {}
    if (!approvalId || !shownHash) throw new Error('Nothing is asked yet.')
    return { approvalId, shownHash }
  })
}

test('T43 a code lets a page in once, and no secret is in any address', async () => {
  const { page, requested } = await stage.open({ path: '/sessions' })
  expect(page.url()).toBe(`${stage.daemon.url}/sessions`)
  const token = await page.evaluate(() => sessionStorage['hookline-token'])
  expect(token).toMatch(/^hkl_/)
  expect(requested.join('\n')).not.toContain('hkl_')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(
    'hkl_',
  )
  await page.goBack().catch(() => undefined)
  expect(page.url()).not.toContain('code=')
})

test('without a code the page says how to get in, and takes a token', async () => {
  const { page } = await stage.open({ isSignedIn: false })
  await page.getByText('hookline open', { exact: true }).waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-theme=dark]').waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await page.getByLabel('Or paste a token').fill('hkl_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('The token is not').waitFor()
  const token = await tokenOf(stage.daemon, 'page-reader')
  await page.getByLabel('Or paste a token').fill(token)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').first().waitFor()
  // It may count for ever; what the page has does not.
  const kept = await page.evaluate(() => [
    JSON.stringify([sessionStorage, localStorage]),
    String(sessionStorage['hookline-token']),
  ])
  expect(kept[0]).not.toContain(token)
  expect(kept[1]).toMatch(/^hkl_/)
  expect(kept[1]).not.toBe(token)
  const login = createClient({ url: stage.daemon.url, token: kept[1] })
  expect((await login.info()).caller.id).toBe('page-reader')
  await page.goto(`${stage.daemon.url}/settings`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('hookline open /settings').waitFor()
  await until(async () => {
    await expect(login.info()).rejects.toMatchObject({ code: 'no-token' })
  })
  // What was pasted still counts, for whoever has it.
  const own = createClient({ url: stage.daemon.url, token })
  expect((await own.info()).caller.id).toBe('page-reader')
})

test('a link that leads nowhere throws nobody out', async () => {
  const { page } = await stage.open({ path: '/settings' })
  for (const follow of [
    () => page.evaluate(() => location.assign('#code=wrong')),
    () => page.goto(`${stage.daemon.url}/sessions#code=wrong`),
  ]) {
    await follow()
    const note = page.getByRole('alert')
    await note.getByText('The link did not sign you in').waitFor()
    await note.getByText('The code is wrong').waitFor()
    expect(await seriousViolations(page)).toEqual([])
    expect(page.url()).not.toContain('code=')
    await page.getByRole('navigation').first().waitFor()
    await note.getByRole('button', { name: 'Close' }).click()
    await note.waitFor({ state: 'detached' })
  }
})

test('a link of somebody else makes nobody that person before they were asked', async () => {
  const { url } = stage.daemon
  const token = await tokenOf(stage.daemon, 'mallory')
  const link = async () => {
    const { code } = await createClient({ url, token }).createLogin()
    return `/settings#code=${code}`
  }
  const { page, context } = await stage.open({ isApart: true })
  const dialog = page.getByRole('dialog', { name: /somebody else/ })
  const whoAmI = async (tab = page) => {
    await tab.getByText('Rights').waitFor()
    return await tab
      .getByRole('main')
      .getByText(/^(?:owner|mallory)$/)
      .innerText()
  }
  const before = await page.evaluate(() => sessionStorage['hookline-token'])
  await page.goto(url + (await link()))
  await dialog.getByText('user:owner').first().waitFor()
  await dialog.getByText('user:mallory').first().waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await whoAmI()).toBe('owner')
  // A new tab as well: whoever is in is in all of them.
  const tab = await context.newPage()
  await tab.goto(url + (await link()))
  await tab.getByRole('button', { name: 'Stay user:owner' }).click()
  expect(await whoAmI(tab)).toBe('owner')
  // A link of the same person changes nothing, and all tabs share one login.
  await tab.goto(`${url}/settings${await codeOf(stage.daemon)}`)
  expect(await whoAmI(tab)).toBe('owner')
  for (const one of [page, tab]) {
    const now = await one.evaluate(() => sessionStorage['hookline-token'])
    expect(now).toBe(before)
  }
  await tab.goto(url + (await link()))
  await tab.getByRole('button', { name: 'Continue as user:mallory' }).click()
  await until(async () => expect(await whoAmI(tab)).toBe('mallory'))
  await page.reload()
  expect(await whoAmI()).toBe('owner')
})

test('a code that was used lets nobody in', async () => {
  const code = await codeOf(stage.daemon)
  const first = await stage.open({ isSignedIn: false })
  await first.page.goto(`${stage.daemon.url}/sessions${code}`)
  await first.page.getByRole('heading', { name: 'Sessions' }).waitFor()
  const second = await stage.open({ isSignedIn: false })
  await second.page.goto(`${stage.daemon.url}/sessions${code}`)
  await second.page.getByText('was used before').waitFor()
  // The way back leads to where they wanted to be.
  await second.page.getByText('hookline open /sessions').waitFor()
  expect(second.page.url()).not.toContain('code=')
})

test('an address of somebody else puts nothing into what people copy', async () => {
  const { page } = await stage.open({
    path: '/sessions/$(id)?state=ended;id',
    isSignedIn: false,
  })
  await page.getByText('hookline open', { exact: true }).waitFor()
  expect(await page.getByText('$(id)').count()).toBe(0)
})

test('another tab is let in by the first, and whoever signs out is out', async () => {
  const { page, context } = await stage.open()
  const other = await context.newPage()
  await other.goto(`${stage.daemon.url}/sessions`)
  await other.getByRole('heading', { name: 'Sessions' }).waitFor()
  await other.keyboard.press('Control+k')
  await other.getByLabel('Search and commands').last().fill('sign out')
  await other.keyboard.press('Enter')
  await other.getByText('hookline open /sessions').waitFor()
  // It was the same login.
  await page.getByText('hookline open', { exact: true }).waitFor()
})

test('T42 T43 a page of another site changes nothing, reads nothing, and frames nothing', async () => {
  const { approvalId, shownHash } = await askToWrite()
  const path = hrefOf('approval', { approvalId })
  const { page, context } = await stage.open({ path, isApart: true })
  const { url } = stage.daemon
  const target = `${url}/v1/approvals/${approvalId}/answer`
  const body = JSON.stringify({ type: 'allow', shownHash })
  const [head, tail] = [`${body.slice(0, -1)},"reason":"`, '"}']
  const query = `type=allow&shownHash=${shownHash}`
  const site = await serveForeignSite(`<!doctype html>
    <form id="form" method="post" action="${target}" enctype="text/plain" target="hidden">
      <input name='${head}' value='${tail}'>
    </form>
    <iframe name="hidden"></iframe><iframe name="framed" src="${url}${path}"></iframe>
    <img src="${target}?${query}">`)
  onTestFinished(() => site.close())
  const foreign = await context.newPage()
  await foreign.goto(site.url)
  const told = await foreign.evaluate(
    async ([to = '', sent = '', base = '']) => {
      const refused = (work: Promise<unknown>) =>
        work.then(
          () => 'was let in',
          () => 'refused',
        )
      const opened = (source: EventSource | WebSocket) =>
        new Promise<string>((resolve) => {
          source.onopen = () => resolve('was let in')
          source.onerror = () => resolve('refused')
        })
      const post = (type: string, mode: RequestMode) =>
        fetch(to, {
          method: 'POST',
          mode,
          body: sent,
          headers: { 'content-type': type },
        })
      const form = document.querySelector('form')
      form?.submit()
      return {
        plain: await refused(post('text/plain', 'no-cors')),
        json: await refused(post('application/json', 'cors')),
        read: await refused(fetch(`${base}/v1/sessions`)),
        stream: await opened(new EventSource(`${base}/v1/events`)),
        socket: await opened(
          new WebSocket(`${base.replace('http', 'ws')}/v1/events`),
        ),
      }
    },
    [target, body, url],
  )
  expect(new Set(Object.values(told))).toEqual(new Set(['refused']))
  await until(async () => {
    const framed = foreign.frame({ name: 'framed' })
    expect(framed?.url()).toContain('chrome-error:')
  })
  const { client } = stage.daemon
  const { state, votes } = await client.getApproval({ approvalId })
  expect([state, votes]).toEqual(['pending', 0])
  // The page of the daemon itself can still answer it.
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  const answered = page.getByRole('list', { name: 'Answered' })
  await answered.getByText('Approved').waitFor()
})

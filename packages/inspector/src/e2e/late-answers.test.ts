import type { Page, Request } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { askToWrite, denyAll } from '../fixtures/ask-to-write.ts'
import { drawn } from '../fixtures/drawn.ts'
import { stageInspector, until } from '../fixtures/stage.ts'

const config = `hooks:
  - name: quiet
    on: session.end
    handler: {type: command, shell: 'exit 0'}
`

const stage = stageInspector({ config })

afterEach(() => denyAll(stage.daemon))

/** What the daemon has done at once is heard of only when it is let go. */
async function holdAnswer(page: Page, isHeld: (path: string) => boolean) {
  const gate = Promise.withResolvers<void>()
  await page.route(
    ({ pathname }) => isHeld(pathname),
    async (route, request) => {
      if (request.method() !== 'POST') return route.continue()
      const response = await route.fetch()
      await gate.promise
      await route.fulfill({ response })
    },
  )
  const heard = page.waitForResponse(
    (one) =>
      one.request().method() === 'POST' && isHeld(new URL(one.url()).pathname),
  )
  return async () => {
    gate.resolve()
    await (await heard).finished()
    await drawn(page)
  }
}

const askAboutThree = async () => {
  const paths = ['one.txt', 'two.txt', 'three.txt']
  const ids: string[] = []
  for (const path of paths) {
    ids.push((await askToWrite(stage.daemon, path)).approvalId)
  }
  const [one = '', two = '', three = ''] = ids
  const path = hrefOf('approval', { approvalId: one })
  const { page, go } = await stage.open({ path })
  await page.locator('[data-keys=ready]').waitFor()
  const hear = await holdAnswer(page, (at) => at.endsWith(`${one}/answer`))
  await page.keyboard.press('a')
  // Others have heard of it already, and so has the page.
  await page.getByText('Approved by user:owner').first().waitFor()
  return { page, go, hear, two, three }
}

test('T49 whoever has gone on by themselves stays where they are when the answer has come through', async () => {
  const { page, hear, three } = await askAboutThree()
  await page.getByRole('link', { name: /three\.txt/ }).click()
  await until(async () => expect(page.url()).toContain(three))
  await hear()
  expect(page.url()).toContain(three)
})

test('an answer that comes through late leads nobody back from another view', async () => {
  const { page, go, hear } = await askAboutThree()
  await go('/live')
  const field = page.getByLabel('Write to the agent')
  await field.fill('Not sent yet.')
  await hear()
  expect(new URL(page.url()).pathname).toBe('/live')
  expect(await field.inputValue()).toBe('Not sent yet.')
})

test('whoever waits for their answer to come through is led on, whoever heard of it first', async () => {
  const { page, hear, two } = await askAboutThree()
  await hear()
  await until(async () => expect(page.url()).toContain(two))
})

test('a session that has begun late leads nobody away from where they have gone', async () => {
  stage.daemon.script(() => ({ text: 'Hello.' }))
  const { page, go } = await stage.open({ path: '/live' })
  const field = page.getByLabel('Write to the agent')
  const sent = await holdAnswer(page, (path) => path.endsWith('/turns'))
  await field.fill('First.')
  await field.press('Enter')
  await go('/sessions')
  await page.getByRole('list', { name: 'Sessions' }).waitFor()
  await go('/live')
  await field.fill('Second.')
  await sent()
  expect(new URL(page.url()).pathname).toBe('/live')
  expect(await field.inputValue()).toBe('Second.')
})

test('where a session takes no first words, nobody is said to look at it any more', async () => {
  const { page } = await stage.open({ path: '/live' })
  await page.route('**/turns', (route) => route.abort())
  const left = page.waitForRequest(
    (one) =>
      one.url().endsWith('/attend') && one.postDataJSON().isLeaving === true,
  )
  const field = page.getByLabel('Write to the agent')
  await field.fill('First.')
  await field.press('Enter')
  await page.getByRole('main').getByRole('alert').waitFor()
  await left
  expect(await field.inputValue()).toBe('First.')
})

test('words that could not be sent come back, and leave what was written since', async () => {
  const { id: sessionId } = await stage.daemon.client.createSession({})
  const path = hrefOf('session', { sessionId })
  const { page } = await stage.open({ path })
  const gate = Promise.withResolvers<void>()
  await page.route('**/turns', async (route, request) => {
    if (request.method() !== 'POST') return route.continue()
    await gate.promise
    await route.abort()
  })
  const field = page.getByLabel('Write to the agent')
  await field.fill('First.')
  await field.press('Enter')
  await until(async () => expect(await field.inputValue()).toBe(''))
  await field.pressSequentially('Second.')
  gate.resolve()
  await page.getByRole('main').getByRole('alert').waitFor()
  await until(async () =>
    expect(await field.inputValue()).toBe('First.\nSecond.'),
  )
})

test('a change that is saved late closes no other dialog', async () => {
  const path = hrefOf('plan', { point: 'session.end', hook: 'quiet' })
  const { page } = await stage.open({ path })
  const asked = new Set<Request>()
  page.on('request', (one) => asked.add(one))
  page.on('requestfinished', (one) => asked.delete(one))
  page.on('requestfailed', (one) => asked.delete(one))
  const saved = await holdAnswer(page, (at) => at === '/v1/hooks/set')
  await page.getByRole('button', { name: 'Only evaluate…' }).click()
  const save = page.getByRole('button', { name: 'Save' })
  await save.click()
  await save.and(page.locator('[aria-busy=true]')).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Turn off…' }).click()
  const reason = page.getByRole('textbox', { name: 'Reason' })
  await reason.fill('It is not needed.')
  await saved()
  // All that is shown is asked for again first.
  await until(async () => expect(asked.size).toBe(0))
  await drawn(page)
  expect(await reason.inputValue()).toBe('It is not needed.')
})

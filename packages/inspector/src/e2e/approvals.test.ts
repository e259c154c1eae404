import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Request } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { askToWrite as askFor, denyAll } from '../fixtures/ask-to-write.ts'
import { tokenOf } from '../fixtures/principal-token.ts'
import { stageInspector, until } from '../fixtures/stage.ts'

const stage = stageInspector()

afterEach(() => denyAll(stage.daemon))

const askToWrite = (path: string) => askFor(stage.daemon, path)

const rowsOf = 'link'

test('what waits is answered by the keyboard alone: j, k, a, d', async () => {
  const one = await askToWrite('one.txt')
  const two = await askToWrite('two.txt')
  const { page } = await stage.open({ path: '/approvals' })
  const list = page.getByRole('list', { name: 'Waiting' })
  // What waits longest is opened at once.
  await page.getByRole('region', { name: 'Approval of write' }).waitFor()
  await until(async () => expect(page.url()).toContain(one.approvalId))
  expect(await list.getByRole(rowsOf).count()).toBe(2)
  await page.keyboard.press('j')
  await until(async () => expect(page.url()).toContain(two.approvalId))
  await page.keyboard.press('k')
  await until(async () => expect(page.url()).toContain(one.approvalId))
  const args = page.getByLabel('Arguments', { exact: true })
  await args.getByText('one.txt').waitFor()
  await page.locator('[data-keys=ready]').waitFor()
  await page.keyboard.press('a')
  await until(async () => {
    const input = { approvalId: one.approvalId }
    const { state } = await stage.daemon.client.getApproval(input)
    expect(state).toBe('used')
  })
  // The next one is there, and was not answered by the same key.
  await args.getByText('two.txt').waitFor()
  await page.locator('[data-keys=ready]').waitFor()
  await page.keyboard.press('d')
  await page.getByLabel('Why not').fill('Not that one.')
  await page.keyboard.press('Enter')
  await page.getByText('Nothing waits for you').first().waitFor()
  const answered = page.getByRole('list', { name: 'Answered' })
  await answered.getByText('Denied').waitFor()
  await answered.getByText('Approved').waitFor()
  await answered.getByRole(rowsOf).first().click()
  await page.getByText('Denied by user:owner').first().waitFor()
  await page.getByText('Not that one.').waitFor()
})

test('arguments are changed in a form of the schema, and asked about anew', async () => {
  const { sessionId, approvalId } = await askToWrite('wrong.txt')
  const { page } = await stage.open({
    path: hrefOf('approval', { approvalId }),
  })
  await page.getByText('Tool of').waitFor()
  await page.locator('[data-keys=ready]').waitFor()
  await page.keyboard.press('e')
  const form = page.getByRole('form', { name: 'Other arguments' })
  await form.getByLabel('path', { exact: true }).fill('right.txt')
  await form.getByRole('button', { name: 'As JSON' }).click()
  const json = form.getByLabel('Arguments as JSON')
  expect(JSON.parse(await json.inputValue())).toEqual({
    path: 'right.txt',
    content: 'Hello.',
  })
  await json.fill('{ "path": ')
  await form.getByText('It is no JSON').waitFor()
  await json.fill('{ "path": 7 }')
  await form.getByText('path: It is no text.').waitFor()
  await form.getByText('content: It is missing.').waitFor()
  const use = form.getByRole('button', { name: 'Use these arguments' })
  expect(await use.isDisabled()).toBe(true)
  // It would be sent as another number than the one that stands there.
  await json.fill('{ "path": "a", "content": "b", "n": 9007199254740993 }')
  await form.getByText('9007199254740993 cannot be kept as it is').waitFor()
  expect(await use.isDisabled()).toBe(true)
  await json.fill('{ "path": "right.txt", "content": "Changed." }')
  await use.click()
  const { client } = stage.daemon
  await until(async () => {
    const { items } = await client.listApprovals({ sessionId })
    expect(items.map(({ id }) => id)).not.toContain(approvalId)
    expect(items[0]?.shown).toContain('right.txt')
  })
  const list = page.getByRole('list', { name: 'Waiting' })
  await list.getByText('right.txt').click()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await until(async () => {
    const { messages } = await client.listMessages({ sessionId })
    expect(JSON.stringify(messages)).toContain('right.txt')
    const { state } = await client.getSession({ sessionId })
    expect(state).toBe('idle')
  })
})

test('a call that is changed in the form runs as it was changed', async () => {
  const { sessionId, approvalId } = await askToWrite('first.txt')
  const { page } = await stage.open({
    path: hrefOf('approval', { approvalId }),
  })
  await page.getByRole('button', { name: 'Modify' }).click()
  const form = page.getByRole('form', { name: 'Other arguments' })
  await form.getByLabel('path', { exact: true }).fill('second.txt')
  await form.getByLabel('content', { exact: true }).fill('By hand.')
  await form.getByRole('button', { name: 'Use these arguments' }).click()
  const list = page.getByRole('list', { name: 'Waiting' })
  await list.getByText('second.txt').click()
  const args = page.getByLabel('Arguments', { exact: true })
  await args.getByText('By hand.').waitFor()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  const { client, root } = stage.daemon
  await until(async () => {
    const { state } = await client.getSession({ sessionId })
    expect(state).toBe('idle')
  })
  const written = (name: string) => readFile(join(root, name), 'utf8')
  expect(await written('second.txt')).toBe('By hand.')
  await expect(written('first.txt')).rejects.toThrow('ENOENT')
})

test('F189 T47 a link only shows; a yes is a POST with a token, for what was shown and nothing else', async () => {
  const { approvalId } = await askToWrite('link.txt')
  const path = hrefOf('approval', { approvalId })
  const { client, url } = stage.daemon
  const stateNow = async () => (await client.getApproval({ approvalId })).state
  const { shownHash } = await client.getApproval({ approvalId })
  const { page } = await stage.open({ path, isApart: true })
  const sent: Request[] = []
  page.on('request', (one) => {
    if (one.method() !== 'GET') sent.push(one)
  })
  // Programs that open links do so without a login, and more than once.
  const query = `?type=allow&shownHash=${shownHash}`
  const answer = `/v1/approvals/${approvalId}/answer`
  for (const to of [path, path, `${path}${query}`, `${answer}${query}`]) {
    await page.request.get(`${url}${to}`)
  }
  await page.reload()
  const approve = page.getByRole('button', { name: 'Approve', exact: true })
  await approve.waitFor()
  expect(sent).toEqual([])
  expect(await stateNow()).toBe('pending')

  // Whatever changes on the way is not what was shown.
  await page.route(`**${answer}`, (route, one) => {
    const other = { ...one.postDataJSON(), shownHash: 'a'.repeat(64) }
    return route.continue({ postData: JSON.stringify(other) })
  })
  await approve.click()
  await page.getByRole('alert').getByText('not what was shown').waitFor()
  expect(await stateNow()).toBe('pending')
  await page.unroute(`**${answer}`)
  await approve.click()
  await until(async () => expect(await stateNow()).toBe('used'))
  const last = sent.at(-1)
  expect(last?.url()).toBe(`${url}${answer}`)
  expect(last?.postDataJSON()).toMatchObject({ type: 'allow', shownHash })
  expect(last?.headers()).toMatchObject({
    authorization: expect.stringMatching(/^Bearer hkl_/),
    'content-type': 'application/json',
  })
})

test('what is answered elsewhere is gone at once, with a note who it was', async () => {
  const { approvalId } = await askToWrite('other.txt')
  const first = await stage.open({ path: '/approvals' })
  const second = await stage.open({ path: '/approvals' })
  for (const { page } of [first, second]) {
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
  }
  await second.page
    .getByRole('button', { name: 'Approve', exact: true })
    .click()
  const { page } = first
  await page
    .getByRole('button', { name: 'Approve', exact: true })
    .waitFor({ state: 'detached' })
  const note = page.getByRole('status', { name: 'Answered elsewhere' })
  await note.getByText('approved by user:owner').waitFor()
  // Whoever read it still has it before them.
  expect(page.url()).toContain(approvalId)
  await page.getByText('Approved by user:owner').first().waitFor()
  const list = page.getByRole('list', { name: 'Waiting' })
  await until(async () => expect(await list.getByRole(rowsOf).count()).toBe(0))
  expect(
    await second.page
      .getByRole('status', { name: 'Answered elsewhere' })
      .innerText(),
  ).toBe('')
})

test('what waits shows up, however much else happens until it is read', async () => {
  const { page } = await stage.open({ path: '/approvals' })
  await page.getByText('Nothing waits for you').first().waitFor()
  const gate = Promise.withResolvers<void>()
  const isList = (url: string) => new URL(url).pathname === '/v1/approvals'
  const held: string[] = []
  let refreshes = 0
  await page.route(
    ({ href }) => isList(href),
    async (route, request) => {
      held.push(request.url())
      await gate.promise
      await route.continue()
    },
  )
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/v1/questions') refreshes++
  })
  await askToWrite('busy.txt')
  await until(async () => expect(held.length).toBeGreaterThan(0))
  const { client } = stage.daemon
  const { id: sessionId } = await client.createSession({})
  stage.daemon.script(() => ({ text: 'Hello.' }))
  const before = refreshes
  await until(async () => {
    await client.send({ sessionId, input: 'Hello.', wait: true })
    expect(refreshes).toBeGreaterThan(before + 2)
  })
  // None is broken off and begun again, which would never come to an end.
  expect(held).toEqual([...new Set(held)])
  gate.resolve()
  const list = page.getByRole('list', { name: 'Waiting' })
  await list.getByText('busy.txt').waitFor()
})

test('what cannot be undone is asked once more', async () => {
  const { approvalId } = await askToWrite('always.txt')
  const { page } = await stage.open({
    path: hrefOf('approval', { approvalId }),
  })
  await page.getByRole('button', { name: 'Approve for longer' }).click()
  await page.getByRole('menuitem', { name: 'Approve always' }).click()
  const confirm = page.getByRole('group', { name: 'Once more' })
  await confirm.getByText('An answer cannot be taken back.').waitFor()
  await page.keyboard.press('Escape')
  await confirm.waitFor({ state: 'detached' })
  const { client } = stage.daemon
  expect((await client.getApproval({ approvalId })).state).toBe('pending')
  await page.getByRole('button', { name: 'Approve for longer' }).click()
  await page.getByRole('menuitem', { name: 'Approve always' }).click()
  await confirm.waitFor()
  await page.keyboard.press('Enter')
  await until(async () => {
    const { lasts } = await client.getApproval({ approvalId })
    expect(lasts).toBe('always')
  })
  const { items } = await client.listRules({})
  for (const { id } of items) await client.revokeRule({ ruleId: String(id) })
})

test('whoever may not approve is told so, and cannot', async () => {
  const { approvalId } = await askToWrite('mine.txt')
  const path = hrefOf('approval', { approvalId })
  const { page } = await stage.open({ path, isSignedIn: false })
  const token = await tokenOf(stage.daemon, 'only-runs')
  await page.getByLabel('Or paste a token').fill(token)
  await page.keyboard.press('Enter')
  await page.getByText('You do not have the right to answer this').waitFor()
  await page.locator('[data-keys=ready]').waitFor({ state: 'attached' })
  for (const key of ['a', 's', 'd', 'e']) await page.keyboard.press(key)
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  expect(await page.getByLabel('Why not').count()).toBe(0)
  const { state } = await stage.daemon.client.getApproval({ approvalId })
  expect(state).toBe('pending')
})

test('questions of agents wait in the same list', async () => {
  stage.daemon.script(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: `Told: ${JSON.stringify(messages.at(-1))}` }
      : {
          calls: [
            {
              tool: 'ask_user',
              args: {
                questions: [
                  {
                    id: 'colour',
                    header: 'Colour',
                    question: 'Which colour?',
                    options: [{ label: 'Red' }, { label: 'Blue' }],
                  },
                ],
              },
            },
          ],
        },
  )
  const { client } = stage.daemon
  const { id: sessionId } = await client.createSession({})
  const { page } = await stage.open({ path: '/approvals', width: 390 })
  await page.getByText('Nothing waits for you').first().waitFor()
  // An agent asks only where somebody looks at its session.
  const other = await stage.open({ path: '/sessions' })
  const told = other.page.waitForResponse(/\/attend$/)
  await other.go(hrefOf('session', { sessionId }))
  await told
  await client.send({ sessionId, input: 'Ask me.' })
  await page.getByRole('link', { name: /A question/ }).click()
  await page.getByLabel('Blue').check()
  await page.getByRole('button', { name: 'Answer' }).click()
  await page.getByText('These questions wait no longer').waitFor()
  await page.getByRole('link', { name: 'All approvals' }).click()
  await page.getByText('Nothing waits for you').first().waitFor()
})

test('what is chosen for one question is not chosen for the next', async () => {
  const colour = {
    id: 'colour',
    header: 'Colour',
    question: 'Which colour?',
    options: [{ label: 'Red' }, { label: 'Blue' }],
    allowText: true,
  }
  stage.daemon.script(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'Thank you.' }
      : { calls: [{ tool: 'ask_user', args: { questions: [colour] } }] },
  )
  const { client } = stage.daemon
  for (const place of ['one', 'two']) {
    const { id: sessionId } = await client.createSession({})
    // An agent asks only where somebody looks at its session.
    await client.attend({ sessionId, place })
    await client.send({ sessionId, input: 'Ask me.' })
  }
  const { page } = await stage.open({ path: '/approvals' })
  const list = page.getByRole('list', { name: 'Waiting' })
  const rows = list.getByRole(rowsOf)
  await until(async () => expect(await rows.count()).toBe(2))
  const words = page.getByRole('textbox', { name: 'Which colour?' })
  await rows.first().click()
  await page.getByLabel('Blue').check()
  await words.fill('As the sky.')
  await rows.last().click()
  await until(async () => expect(await words.inputValue()).toBe(''))
  expect(await page.getByLabel('Blue').isChecked()).toBe(false)
  for (const left of [1, 0]) {
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await until(async () => expect(await rows.count()).toBe(left))
    if (left > 0) await rows.first().click()
  }
})

test('what is not asked again is listed, and is asked again once it is taken back', async () => {
  const { client } = stage.daemon
  const { approvalId } = await askToWrite('lasting.txt')
  const { shownHash } = await client.getApproval({ approvalId })
  const always = { type: 'allow', lasts: 'always', covers: 'tool' } as const
  await client.answerApproval({ approvalId, shownHash, ...always })
  const { page } = await stage.open({ path: '/approvals' })
  const list = page.getByRole('list', { name: 'Not asked again' })
  await list.getByText('Any arguments, in all sessions').waitFor()
  await list.getByText('user:owner said so').waitFor()
  await list.getByRole('button', { name: 'Ask again about write' }).click()
  await until(async () => expect(await list.getByRole('link').count()).toBe(0))
  expect((await client.listRules({})).items).toEqual([])
})

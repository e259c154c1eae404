import { expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { stageInspector, until } from '../fixtures/stage.ts'

const attack = '<img src=x onerror="window.wasHit=1">\u001b[31mred\u202Etxt'

/** A command that answers so, whatever it is given. */
const saying = (answer: object) => ({
  type: 'command',
  argv: ['node', '-e', `process.stdout.write(${quoted(answer)})`],
})
const quoted = (value: object) => JSON.stringify(JSON.stringify(value))

const args = { path: 'a.txt', content: 'one\ntwo\nthree' }
const long = `Go. ${'x'.repeat(100_000)}`

const stage = stageInspector({
  config: JSON.stringify({
    hooks: [
      {
        name: 'renames',
        on: 'tool.pre_call',
        match: { tool: 'write' },
        writes: true,
        handler: saying({
          type: 'transform',
          value: { ...args, path: 'b.txt' },
        }),
      },
      {
        name: 'listens',
        on: 'turn.input',
        after: ['skills:slash'],
        handler: saying({ type: 'proceed' }),
      },
      {
        name: 'no-glob',
        on: 'tool.guard',
        match: { tool: 'glob' },
        handler: saying({ type: 'reject', reason: attack }),
      },
      {
        name: 'trial',
        on: 'tool.guard',
        mode: 'evaluate',
        match: { tool: 'write' },
        handler: saying({ type: 'reject', reason: 'It would be wrong.' }),
      },
    ],
  }),
  async before(daemon) {
    daemon.script((request) =>
      request.messages.at(-1)?.role === 'tool'
        ? { text: 'Done.' }
        : {
            calls: [
              { id: 'written', tool: 'write', args },
              { id: 'looked', tool: 'glob', args: { pattern: '*' } },
            ],
          },
    )
    await play()
  },
})

/** A turn in which one call is approved, and one denied. */
async function play(): Promise<void> {
  const { client } = stage.daemon
  const { id: sessionId } = await client.createSession({})
  const turn = client.send({ sessionId, input: long, wait: true })
  const [asked] = await until(async () => {
    const { items } = await client.listApprovals({})
    expect(items).toHaveLength(1)
    return items
  })
  const { id: approvalId = '', shownHash = '' } = asked ?? {}
  await client.answerApproval({ approvalId, shownHash, type: 'allow' })
  await turn
}

async function runOf(hook: string): Promise<string> {
  const { items } = await stage.daemon.client.listRuns({ hook })
  return hrefOf('run', { runId: items[0]?.id ?? '' })
}

test('runs are found by what stands in the address, and come as they happen', async () => {
  const { page } = await stage.open({ path: '/runs' })
  const list = page.getByRole('list', { name: 'Runs' })
  await list.getByRole('link', { name: /Rejected no-glob/ }).waitFor()
  await page.getByLabel('Outcome').selectOption('Rejected')
  await page.getByText('1 run', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('?state=rejected')
  await page.reload()
  await page.getByText('1 run', { exact: true }).waitFor()
  const asked: URLSearchParams[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/v1/runs') asked.push(searchParams)
  })
  await play()
  await page.getByText('2 runs', { exact: true }).waitFor()
  // Only what may be new is read, and nothing page by page.
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.every((one) => one.has('since') && !one.has('after'))).toBe(true)
  await page.getByLabel('Outcome').selectOption('Any outcome')
  await page.keyboard.press('/')
  await page.keyboard.type('would wrong')
  await list.getByText('It would be wrong.').first().waitFor()
  // The guard is asked again once somebody has agreed.
  await page.getByText('4 runs', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByText('It is only evaluated').first().waitFor()
  await page.goBack()
  await page.getByLabel('Search runs').fill('nothing like it')
  await page.getByText('No run is like that').waitFor()
})

test('a run shows what it changed, why it was asked, and leads to its call', async () => {
  const { page } = await stage.open({ path: await runOf('renames') })
  await page.getByText('changed what it was given').waitFor()
  const diff = page.getByRole('region', { name: 'args', exact: true })
  expect(await diff.locator('del').allTextContents()).toEqual([
    '  "path": "a.txt"',
  ])
  expect(await diff.locator('ins').allTextContents()).toEqual([
    '  "path": "b.txt"',
  ])
  const facts = page.getByRole('complementary', { name: 'Facts' })
  await facts.getByText('tool is "write"').waitFor()
  await facts.getByText(/hookline\.config\.yaml:\d+/).waitFor()
  await facts.getByText(/of \d+(?:\.\d)? s/).waitFor()
  const order = page.getByRole('region', { name: 'Order' })
  await order.getByText(/the lowest first/).waitFor()
  await facts.getByRole('link', { name: 'written' }).click()
  await page.getByText('was allowed by user:owner, and ran').waitFor()
})

test('why a call was allowed: what was sealed, every verdict, and who agreed', async () => {
  const { items } = await stage.daemon.client.listRuns({ hook: 'renames' })
  const { sessionId: session, turnId: turn } = items[0] ?? {}
  const path = hrefOf('call', { callId: 'written', session, turn })
  const { page, go } = await stage.open({ path })
  const sealed = page.getByRole('region', { name: 'Sealed arguments' })
  await sealed.getByText('changed since the model wrote them').waitFor()
  expect(await sealed.locator('ins').allTextContents()).toEqual([
    '  "path": "b.txt",',
  ])
  const steps = page.getByRole('region', { name: 'Who had a say' })
  const told = (await steps.getByRole('listitem').allTextContents()).join('\n')
  expect(told).toMatch(
    /renames changed the arguments.*trial denied it.*only evaluated.*user:owner agreed/s,
  )
  await steps.getByRole('link', { name: 'trial' }).first().click()
  await page.getByText('would have said: refused it').waitFor()
  await page.getByText('It would be wrong.').waitFor()

  await go(hrefOf('call', { callId: 'looked', session, turn }))
  await page.getByText('was denied by the hook "no-glob"').waitFor()
})

test('an id that several calls have is asked back about', async () => {
  await play()
  const { page } = await stage.open({ path: '/calls/looked' })
  await page.getByText(/\d calls have the id "looked"/).waitFor()
  await page
    .getByRole('link', { name: /^"glob" in "/ })
    .first()
    .click()
  await page.getByText('was denied by the hook "no-glob"').waitFor()
})

test('what is hostile or huge is shown, and does nothing', async () => {
  const { page, go } = await stage.open({ path: await runOf('no-glob') })
  await page.getByText('<img src=x').first().waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  await go(await runOf('listens'))
  await page.getByText('It was too long to be kept whole').waitFor()
  expect(await page.evaluate(() => 'wasHit' in window)).toBe(false)
})

test('a session is listed by its first words, and found by them', async () => {
  const { page } = await stage.open({ path: '/sessions' })
  const list = page.getByRole('list', { name: 'Sessions' })
  await list
    .getByRole('link', { name: /Go\. x{90,}…/ })
    .first()
    .waitFor()
  await page.getByLabel('Search sessions').fill('go. xxx')
  await page.getByText(/^\d+ sessions?$/).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/sessions\/./)
  await page.goBack()
  await page.getByLabel('Search sessions').fill('nothing like it')
  await page.getByText('No session is like that').waitFor()
})

test('a run that is not there says so', async () => {
  const { page } = await stage.open({ path: '/runs/nothing' })
  await page.getByText('This run cannot be shown').waitFor()
})

import { expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { savedFile } from '../fixtures/saved-file.ts'
import { stageInspector, until } from '../fixtures/stage.ts'

const attack = '<img src=x onerror="window.wasHit=1">'

/** A command that answers so, whatever it is given. */
const saying = (answer: object) => ({
  type: 'command',
  argv: ['node', '-e', `process.stdout.write(${quoted(answer)})`],
})
const quoted = (value: object) => JSON.stringify(JSON.stringify(value))

let sessionId = ''
let turnId = ''

const stage = stageInspector({
  config: JSON.stringify({
    hooks: [
      {
        name: 'no-glob',
        on: 'tool.guard',
        match: { tool: 'glob' },
        handler: saying({ type: 'reject', reason: attack }),
      },
      {
        name: 'trial',
        on: 'tool.pre_call',
        mode: 'evaluate',
        match: { tool: 'glob' },
        writes: true,
        handler: saying({ type: 'transform', value: { pattern: 'a' } }),
      },
    ],
  }),
  async before(daemon) {
    const { client } = daemon
    daemon.script(lookOnce)
    sessionId = (await client.createSession({ agent: 'helper' })).id
    await client.send({ sessionId, input: 'Look.', wait: true })
    turnId = await newestTurn(sessionId)
  },
})

type Request = { readonly messages: readonly { readonly role: string }[] }

function lookOnce(request: Request) {
  return request.messages.at(-1)?.role === 'tool'
    ? { text: 'Done.' }
    : { calls: [{ id: 'c1', tool: 'glob', args: { pattern: '*' } }] }
}

async function newestTurn(id: string): Promise<string> {
  const { items } = await stage.daemon.client.listTurns({ sessionId: id })
  return String(items[0]?.id)
}

const open = async (change = {}) => {
  const path = hrefOf('turn', { sessionId, turnId, ...change })
  const opened = await stage.open({ path })
  const { page } = opened
  const tree = page.getByRole('tree', { name: 'Timeline of the turn' })
  const row = (name: RegExp) => tree.getByRole('treeitem', { name })
  return { ...opened, tree, row }
}

test('a turn is drawn as it happened, and every hook by what it did', async () => {
  const { page, tree, row } = await open()
  await row(/^Step Step 2, Done/).waitFor()
  await row(/^Model call test\/scripted, Done/)
    .first()
    .waitFor()
  await row(/^Tool glob, Denied/).waitFor()
  await row(/^Point tool\.guard/).waitFor()
  await row(/^Hook trial, Evaluated only/).waitFor()
  const rejected = row(/^Hook no-glob, Rejected/)
  await rejected.hover()
  await page.getByText('window.wasHit').first().waitFor()
  await rejected.click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByText('it had the last word').waitFor()
  expect(await details.innerText()).toContain('<img src=x')
  expect(await page.evaluate(() => 'wasHit' in window)).toBe(false)
  // The tool is inside its step, and its hooks inside it.
  const levels = await tree
    .getByRole('treeitem', { name: /glob|tool\.guard|trial/ })
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-level')))
  expect(levels.slice(0, 4)).toEqual(['3', '5', '4', '5'])
})

test('the keyboard goes through a turn, folds it, and opens a run', async () => {
  const { page, row } = await open()
  await row(/^Step Step 2, Done/).waitFor()
  await row(/^Hook no-glob/).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('n')
  const odd = /Denied|Rejected|Evaluated|Added/
  await page.getByRole('treeitem', { selected: true, name: odd }).waitFor()
  await row(/^Tool glob/).click()
  await page.keyboard.press('ArrowLeft')
  await row(/^Hook no-glob/).waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowRight')
  await row(/^Hook no-glob/).click()
  await until(async () => expect(page.url()).toContain('?run='))
  // The address leads to the very run.
  await page.reload()
  await page.getByRole('complementary', { name: 'Details' }).waitFor()
  await page.keyboard.press('Enter')
  await until(async () => expect(page.url()).toMatch(/\/runs\/[^?]+no-glob$/))
})

test('a turn is filtered by what stands in the address, and looked at closely', async () => {
  const { page, row } = await open({ outcome: 'evaluated' })
  await row(/^Hook trial/).waitFor()
  expect(await row(/^Hook no-glob/).count()).toBe(0)
  await page.getByLabel('Outcome').selectOption('')
  await row(/^Hook no-glob/).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('scripted')
  await row(/^Hook trial/).waitFor({ state: 'detached' })
  expect(page.url()).toContain('search=scripted')
  await page.keyboard.press('Escape')
  // How long a turn was is known from the first, whatever else is told later.
  const axis = () => page.locator('[data-axis]').innerText()
  const whole = await axis()
  await page.getByRole('button', { name: 'Closer' }).click()
  await until(async () => expect(await axis()).not.toBe(whole))
  await page.keyboard.press('0')
  await until(async () => expect(await axis()).toBe(whole))
})

test('a turn is taken along as JSON that the page makes', async () => {
  const { page, row } = await open()
  await row(/^Step Step 2, Done/).waitFor()
  const { name, text } = await savedFile(page, () =>
    page.getByRole('button', { name: 'Export as JSON' }).click(),
  )
  expect(name).toBe(`turn-1-${turnId}.json`)
  const told = JSON.parse(text)
  expect(told).toMatchObject({
    format: 'hookline.turn.1',
    turn: { id: turnId, status: 'succeeded' },
    calls: [{ callId: 'c1', status: 'denied' }],
    steps: [{ step: 1 }, { step: 2 }],
    modelCalls: [{ model: 'test/scripted' }, { model: 'test/scripted' }],
  })
  const hooks = told.runs.map(({ hook }: { hook: string }) => hook)
  expect(hooks).toEqual(expect.arrayContaining(['no-glob', 'trial']))
})

test('a turn that runs is drawn as it goes on', async () => {
  const { client } = stage.daemon
  const gate = Promise.withResolvers<void>()
  stage.daemon.script(() => ({ text: 'At last.', waitFor: gate.promise }))
  const { id } = await client.createSession({ agent: 'helper' })
  await client.send({ sessionId: id, input: 'Wait.' })
  await until(async () => {
    const { items } = await client.listTurns({ sessionId: id })
    expect(items).toHaveLength(1)
  })
  const other = { sessionId: id, turnId: await newestTurn(id) }
  const { page, row } = await open(other)
  await row(/^Model call Model, Running/).waitFor()
  await page.getByText('Running', { exact: true }).first().waitFor()
  gate.resolve()
  await row(/^Model call test\/scripted, Done/).waitFor()
  await page.getByText('Succeeded').first().waitFor()
  await row(/^Turn Turn 1, Done/).waitFor()
})

test('the prompt is shown piece by piece, with its authors', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'Prompt' }).click()
  const pieces = page.getByRole('list', { name: 'Pieces of the prompt' })
  await pieces.getByText('The agent itself').first().waitFor()
  await pieces.getByText('Help.', { exact: true }).waitFor()
  expect(await pieces.getByRole('listitem').count()).toBeGreaterThan(1)
  expect(page.url()).toContain('tab=prompt')
})

test('a turn that is not there is said not to be', async () => {
  const { page } = await open({ turnId: 'unknown' })
  await page.getByText('This turn cannot be shown').waitFor()
})

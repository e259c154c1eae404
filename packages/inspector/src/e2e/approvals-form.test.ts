import type { Locator } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { askToWrite, denyAll } from '../fixtures/ask-to-write.ts'
import { drawn } from '../fixtures/drawn.ts'
import { openForm } from '../fixtures/open-form.ts'
import { stageInspector, until } from '../fixtures/stage.ts'

const stage = stageInspector()

afterEach(() => denyAll(stage.daemon))

/** The element itself, which may not become another one. */
const elementOf = async (field: Locator) => {
  const handle = await field.elementHandle()
  if (handle === null) throw new Error('It is not there.')
  await handle.focus()
  const hasFocus = () =>
    handle.evaluate((one) => one === document.activeElement)
  return { hasFocus }
}

const text = { type: 'string' }
const either = { anyOf: [text, { type: 'number' }] }

test('T49 what is typed into a text stays in it, however long it becomes, and answers nothing', async () => {
  const { approvalId } = await askToWrite(stage.daemon, 'one.txt')
  await askToWrite(stage.daemon, 'two.txt')
  const { page, form, sent } = await openForm(stage, approvalId)
  const field = form.getByLabel('content', { exact: true })
  const { hasFocus } = await elementOf(field)
  // Each of these letters is a key of the list, or an answer.
  const words = 'jasd'.repeat(25)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(words)
  expect(await field.inputValue()).toBe(words)
  for (let left = 100; left > 70; left--) await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await page.keyboard.type('a')
  expect(await field.inputValue()).toBe(`${words.slice(0, 70)}\na`)
  expect(await hasFocus()).toBe(true)
  expect(page.url()).toContain(approvalId)
  expect(sent).toEqual([])
})

test.each([
  ['a text that is none yet', 7, text, '"seven"'],
  ['a text with line ends of its own', 'a\r\nb', text, '"ab"'],
  ['a choice', 'c', { enum: ['a', 'b'] }, '"a"'],
  [
    'a list of too many',
    Array(201).fill('a'),
    { type: 'array', items: text },
    '[]',
  ],
])(
  'what is written as JSON stays JSON until it is done: %s',
  async (_, value, part, written) => {
    const { approvalId } = await askToWrite(stage.daemon, 'one.txt')
    const parts = { args: { part: value }, fields: { part } }
    const { page, form, use, sent } = await openForm(stage, approvalId, parts)
    const field = form.getByLabel('part', { exact: true })
    const { hasFocus } = await elementOf(field)
    await field.fill(written)
    expect(await hasFocus()).toBe(true)
    await page.keyboard.type(' ')
    expect(await field.inputValue()).toBe(`${written} `)
    await use.click()
    await until(async () =>
      expect(sent).toMatchObject([{ args: { part: JSON.parse(written) } }]),
    )
  },
)

test('a text that becomes longer than a field should have stays in its field', async () => {
  const { approvalId } = await askToWrite(stage.daemon, 'one.txt')
  const { page, form } = await openForm(stage, approvalId)
  const field = form.getByLabel('content', { exact: true })
  const { hasFocus } = await elementOf(field)
  await field.fill('a'.repeat(100_001))
  await page.keyboard.type('b')
  expect((await field.inputValue()).length).toBe(100_002)
  expect(await hasFocus()).toBe(true)
})

test('of a list without one of its parts the others are as they were written', async () => {
  const { approvalId } = await askToWrite(stage.daemon, 'one.txt')
  const { form, use, sent } = await openForm(stage, approvalId, {
    args: { parts: ['first', 'second'] },
    fields: { parts: { type: 'array', items: either } },
  })
  await form.getByLabel('parts 2', { exact: true }).fill('"changed"')
  await form.getByRole('button', { name: 'Remove parts 1' }).click()
  const left = form.getByLabel('parts 1', { exact: true })
  expect(await left.inputValue()).toBe('"changed"')
  await use.click()
  await until(async () =>
    expect(sent).toMatchObject([{ args: { parts: ['changed'] } }]),
  )
})

test('T49 what is typed on when its field has gone answers nothing, until whoever types has stopped', async () => {
  const { client } = stage.daemon
  const one = await askToWrite(stage.daemon, 'one.txt')
  const two = await askToWrite(stage.daemon, 'two.txt')
  const path = hrefOf('approval', { approvalId: one.approvalId })
  const { page } = await stage.open({ path, isApart: true })
  await page.locator('[data-keys=ready]').waitFor()
  await page.clock.install()
  await page.keyboard.press('d')
  const field = page.getByLabel('Why not')
  await field.pressSequentially('Because ')
  // Somebody else is faster, which nobody sees who looks at their keyboard.
  const { approvalId, shownHash } = one
  await client.answerApproval({ approvalId, shownHash, type: 'deny' })
  await until(async () => {
    await page.keyboard.press('x')
    expect(await field.count()).toBe(0)
  })
  for (const key of 'jjs j') await page.keyboard.press(key)
  expect(page.url()).toContain(one.approvalId)
  await page.clock.fastForward(5_000)
  await page.keyboard.press('j')
  await until(async () => expect(page.url()).toContain(two.approvalId))
})

test('a number stays as it is typed, and is sent as one once it says the same', async () => {
  const { approvalId } = await askToWrite(stage.daemon, 'one.txt')
  const { page, form, use, sent } = await openForm(stage, approvalId, {
    args: { share: 1 },
    fields: { share: { type: 'number' } },
  })
  const field = form.getByLabel('share', { exact: true })
  const problem = form.getByRole('alert').getByText('share: It is no number.')
  const typed = async (text: string) => {
    await field.press('ControlOrMeta+a')
    await page.keyboard.type(text)
    expect(await field.inputValue()).toBe(text)
  }
  for (const half of [
    '-',
    '1.',
    '0.',
    '1e',
    '1.50',
    '9007199254740993',
    '-0',
  ]) {
    await field.fill('7')
    await typed(half)
    await problem.waitFor()
    expect(await use.isDisabled()).toBe(true)
    await field.press('Enter')
  }
  expect(sent).toEqual([])
  for (const whole of ['1.5', '-0.5', '0.05', '105']) {
    await typed(whole)
    await use.click()
    const share = Number(whole)
    await until(async () =>
      expect(sent.at(-1)).toMatchObject({ args: { share } }),
    )
  }
})

test('T47 nothing is sent while a part holds other words than would be sent, whatever else is written', async () => {
  const { approvalId } = await askToWrite(stage.daemon, 'one.txt')
  const { form, use, sent } = await openForm(stage, approvalId, {
    args: { one: 1, two: 2, name: 'before', list: [3] },
    fields: {
      one: either,
      two: either,
      name: text,
      list: { type: 'array', items: either },
    },
  })
  const part = (name: string) => form.getByLabel(name, { exact: true })
  const nothingIsSent = async () => {
    expect(await use.isDisabled()).toBe(true)
    await form.evaluate((one: HTMLFormElement) => one.requestSubmit())
    expect(sent).toEqual([])
  }
  for (const name of ['one', 'two', 'list 1']) await part(name).fill('{')
  await part('name').fill('after')
  await nothingIsSent()
  await part('one').fill('10')
  await nothingIsSent()
  await part('two').fill('20')
  await nothingIsSent()
  // What is taken out holds nothing back any more.
  await form.getByRole('button', { name: 'Remove list 1' }).click()
  await use.click()
  const args = { one: 10, two: 20, name: 'after', list: [] }
  await until(async () => expect(sent).toMatchObject([{ args }]))
})

test.each([
  ['cannot be read', 403, { error: { code: 'no-right', message: 'No.' } }],
  ['are kept no longer', 200, { args: undefined }],
])(
  'what somebody has written stays where the arguments %s',
  async (_, status, change) => {
    const { approvalId } = await askToWrite(stage.daemon, 'one.txt')
    const { page, form, use, sent } = await openForm(stage, approvalId)
    const field = form.getByLabel('content', { exact: true })
    await field.fill('By hand.')
    const isExact = ({ pathname, searchParams }: URL) =>
      pathname.endsWith(approvalId) && searchParams.has('withArgs')
    await page.route(isExact, async (route) => {
      const response = await route.fetch()
      const json = { ...(await response.json()), ...change }
      await route.fulfill({ response, status, json })
    })
    const told = page.waitForResponse((one) => isExact(new URL(one.url())))
    await askToWrite(stage.daemon, 'two.txt')
    await (await told).finished()
    await drawn(page)
    expect(await field.inputValue()).toBe('By hand.')
    await use.click()
    const args = { content: 'By hand.' }
    await until(async () => expect(sent).toMatchObject([{ args }]))
  },
)

test('T49 where a call is being changed no key leads away from it but the one that leads back', async () => {
  const { approvalId } = await askToWrite(stage.daemon, 'one.txt')
  const two = await askToWrite(stage.daemon, 'two.txt')
  const { page, form } = await openForm(stage, approvalId, {
    args: { name: 'before', list: ['first'] },
    fields: { name: text, list: { type: 'array', items: text } },
  })
  const field = form.getByLabel('name', { exact: true })
  await field.fill('after')
  // What had the focus is gone with its item.
  await form.getByRole('button', { name: 'Remove list 1' }).click()
  for (const key of 'jkagsw') await page.keyboard.press(key)
  expect(page.url()).toContain(approvalId)
  expect(await field.inputValue()).toBe('after')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await page.keyboard.press('j')
  await until(async () => expect(page.url()).toContain(two.approvalId))
})

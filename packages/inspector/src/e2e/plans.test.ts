import { expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { stageInspector, until } from '../fixtures/stage.ts'

const config = `hooks:
  - name: base
    on: tool.guard
    priority: 10
    handler: {type: command, shell: 'exit 0'}
  - name: no-write
    on: tool.guard
    needs: [base]
    match: {tool: write}
    handler: {type: command, shell: 'echo "Nothing is written here." >&2; exit 2'}
  - name: flaky
    on: tool.guard
    after: [base]
    onFailure: open
    handler: {type: command, shell: 'exit 7'}
  - name: sleeping
    on: tool.guard
    disabled: true
    handler: {type: command, shell: 'exit 0'}
policy: {mode: open}
`

const stage = stageInspector({
  config,
  async before(daemon) {
    daemon.script((request) =>
      request.messages.at(-1)?.role === 'tool'
        ? { text: 'Done.' }
        : { calls: [{ tool: 'write', args: { path: 'a', content: 'A' } }] },
    )
    await takeTurn(daemon)
  },
})

async function takeTurn({ client }: typeof stage.daemon): Promise<string> {
  const { id: sessionId } = await client.createSession({ agent: 'helper' })
  await client.send({ sessionId, input: 'Write.', wait: true })
  const { messages } = await client.listMessages({ sessionId })
  return JSON.stringify(messages)
}

test('a hook is only evaluated after what that changes was seen, and the next turn is another', async () => {
  const { client } = stage.daemon
  expect(await takeTurn(stage.daemon)).toContain('Nothing is written here.')
  const { page } = await stage.open({ path: '/plans' })
  await page.getByRole('link', { name: /tool\.guard/ }).click()
  const plan = page.getByRole('list', { name: 'Plan of tool.guard' })
  await plan.getByRole('button', { name: /no-write/ }).click()
  expect(new URL(page.url()).search).toBe('?hook=no-write')
  const detail = page.getByRole('complementary', { name: 'Hook no-write' })
  await detail.getByText('after "base", which it needs to complete').waitFor()
  await detail.getByRole('button', { name: 'Only evaluate…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Only evaluate no-write' })
  await dialog.getByText('is only evaluated').waitFor()
  const then = dialog.getByRole('list', { name: 'Plan then' })
  await then.getByText('evaluate', { exact: true }).waitFor()
  // It was looked at, and nothing has changed.
  const { items } = await client.listHooks({ point: 'tool.guard' })
  expect(items.every(({ mode }) => mode === 'enforce')).toBe(true)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('To try it.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await plan.getByText('evaluate', { exact: true }).waitFor()
  expect(await takeTurn(stage.daemon)).not.toContain('Nothing is written here.')
})

test('what others need cannot be turned off, and the page says why', async () => {
  const path = hrefOf('plan', { point: 'tool.guard', hook: 'base' })
  const { page } = await stage.open({ path })
  await page.getByText('Named by').waitFor()
  await page.getByRole('button', { name: 'Turn off…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Turn base off' })
  await dialog.getByText('This cannot be done').waitFor()
  expect(await dialog.getByRole('alert').textContent()).toContain('no-write')
  expect(await dialog.getByRole('button', { name: 'Save' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('a hook that is off says why; turned off and on, it leaves the plan and comes back', async () => {
  const path = hrefOf('plan', { point: 'tool.guard', hook: 'flaky' })
  const { page } = await stage.open({ path })
  await page.getByText('Off by: its own definition').waitFor()
  await page.getByRole('button', { name: 'Turn off…' }).click()
  await page.getByText('No longer runs').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  const on = page.getByRole('button', { name: 'Turn flaky on' })
  await on.click()
  await page.getByText('Runs, as number').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await on.waitFor({ state: 'detached' })
  const { items } = await stage.daemon.client.listHooks({})
  expect(items.find(({ name }) => name === 'flaky')?.isEnabled).toBe(true)
})

test('health shows how a hook failed, as a chart and as a table, and what turns used', async () => {
  const { page } = await stage.open({ path: '/health?since=1h' })
  const figures = page.getByRole('region', { name: 'Figures of hooks' })
  const row = figures.getByRole('row', { name: /flaky/ })
  await row.getByText(/Fails|Breaker open/).waitFor()
  const used = page.getByRole('region', { name: 'What turns used' })
  await used.getByRole('link', { name: 'helper' }).waitFor()
  const by = page.getByRole('combobox', { name: 'Tokens and cost by' })
  await by.selectOption('session')
  await until(async () => {
    expect(new URL(page.url()).search).toBe('?since=1h&by=session')
  })
  await row.getByRole('link', { name: 'flaky' }).click()
  await page.getByRole('img', { name: /^Latency\. Half took/ }).waitFor()
  await until(async () => expect(await page.locator('canvas').count()).toBe(2))
  await page.getByRole('button', { name: 'Latency: as a table' }).click()
  const table = page.getByRole('region', { name: 'Latency, as a table' })
  await until(async () => expect(await table.getByRole('row').count()).toBe(61))
  const causes = page.getByRole('region', { name: 'Failures by cause' })
  await causes.getByText('threw').waitFor()
})

test('what somebody writes beside a change stays where the plan cannot be looked at anew', async () => {
  const path = hrefOf('plan', { point: 'tool.guard', hook: 'flaky' })
  const { page } = await stage.open({ path })
  await page.getByRole('button', { name: 'Turn off…' }).click()
  await page.getByText('No longer runs').waitFor()
  const reason = page.getByRole('textbox', { name: 'Reason' })
  await reason.fill('It is not needed.')
  const save = page.getByRole('button', { name: 'Save' })
  let isRefused = true
  await page.route('**/hooks/preview*', async (route) => {
    if (!isRefused) return route.continue()
    const response = await route.fetch()
    const error = { code: 'conflict', message: 'Not now.' }
    await route.fulfill({ response, status: 409, json: { error } })
  })
  const { client } = stage.daemon
  await client.reload()
  await page.getByText('This cannot be done').waitFor()
  expect(await reason.inputValue()).toBe('It is not needed.')
  expect(await save.isDisabled()).toBe(true)
  isRefused = false
  await client.reload()
  await page.getByText('No longer runs').waitFor()
  expect(await reason.inputValue()).toBe('It is not needed.')
  expect(await save.isEnabled()).toBe(true)
})

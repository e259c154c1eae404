import { expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { stageInspector } from '../fixtures/stage.ts'

const answer = { type: 'transform', value: { pattern: '*.md' } }
const saying = `process.stdout.write(${JSON.stringify(JSON.stringify(answer))})`

const stage = stageInspector({
  content: 'metadata',
  config: JSON.stringify({
    hooks: [
      {
        name: 'narrows',
        on: 'tool.pre_call',
        match: { tool: 'glob' },
        writes: true,
        handler: { type: 'command', argv: ['node', '-e', saying] },
      },
    ],
  }),
})

test('where content is not kept, a run says so and how it would be', async () => {
  const { client } = stage.daemon
  stage.daemon.script((request) =>
    request.messages.at(-1)?.role === 'tool'
      ? { text: 'Done.' }
      : { calls: [{ tool: 'glob', args: { pattern: '*' } }] },
  )
  const { id: sessionId } = await client.createSession({})
  await client.send({ sessionId, input: 'Go.', wait: true })
  const { items } = await client.listRuns({ hook: 'narrows' })
  const path = hrefOf('run', { runId: items[0]?.id ?? '' })
  const { page, go } = await stage.open({ path })
  await page.getByText('What it was given is not kept').waitFor()
  await page.getByText('What it answered with is not kept').waitFor()
  const setting = page.getByText('store: { content: { runs: redacted } }')
  expect(await setting.count()).toBe(2)
  // What is no content is there all the same.
  await page.getByText('tool is "glob"').waitFor()
  await go('/sessions')
  const list = page.getByRole('list', { name: 'Sessions' })
  await list.getByText('1 turn').waitFor()
  expect(await list.getByText('Go.').count()).toBe(0)
})

import { expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { builtPage, firstLoads } from '../fixtures/first-load.ts'
import { seriousViolations } from '../fixtures/inspector-page.ts'
import { pressPair } from '../fixtures/press-pair.ts'
import { stageInspector, until } from '../fixtures/stage.ts'

let sessionId = ''
let approvalId = ''
let turnId = ''
let runId = ''
let callId = ''

const stage = stageInspector({
  async before(daemon) {
    const { client } = daemon
    daemon.script((request) =>
      request.messages.at(-1)?.role === 'tool'
        ? { text: 'Done.', reasoning: 'It is done.' }
        : {
            text: 'I look, and write.',
            calls: [
              { tool: 'glob', args: { pattern: '*' } },
              { tool: 'write', args: { path: 'a.txt', content: 'A' } },
            ],
          },
    )
    sessionId = (await client.createSession({ agent: 'helper' })).id
    await client.createSession({ agent: 'other' })
    await client.send({ sessionId, input: 'Do it.' })
    await until(async () => {
      const { items } = await client.listApprovals({})
      expect(items).toHaveLength(1)
      approvalId = items[0]?.id ?? ''
    })
    const { items } = await client.listTurns({ sessionId })
    turnId = String(items[0]?.id)
    const runs = await client.listRuns({ point: 'tool.guard' })
    ;({ id: runId = '', callId = '' } = runs.items[0] ?? {})
  },
})

const views: readonly (readonly [string, () => string, string])[] = [
  ['live', () => hrefOf('live'), 'Recent sessions'],
  ['sessions', () => hrefOf('sessions'), '2 sessions'],
  ['session', () => hrefOf('session', { sessionId }), 'Waits for a yes'],
  ['turn', () => hrefOf('turn', { sessionId, turnId }), 'Waits for a person'],
  [
    'prompt',
    () => hrefOf('turn', { sessionId, turnId, tab: 'prompt' }),
    'The agent itself',
  ],
  ['runs', () => hrefOf('runs', { point: 'tool.guard' }), '2 runs'],
  ['run', () => hrefOf('run', { runId }), 'Time against its deadline'],
  [
    'call',
    () => hrefOf('call', { callId, session: sessionId }),
    'Who had a say',
  ],
  ['approvals', () => hrefOf('approvals'), 'a.txt'],
  [
    'approval',
    () => hrefOf('approval', { approvalId }),
    'Everything that is sealed',
  ],
  ['plans', () => hrefOf('plans'), 'Points without hooks'],
  [
    'plan',
    () => hrefOf('plan', { point: 'tool.guard', hook: 'skills:allowed-tools' }),
    'Why here',
  ],
  ['health', () => hrefOf('health'), 'Tokens in'],
  ['settings', () => hrefOf('settings'), 'Rights'],
]

// Each theme and each width once; in the long tests, all there are.
const looks = [
  ['light', 1_280],
  ['dark', 390],
  ['dark', 1_280],
  ['light', 390],
] as const
const isLong = process.env['HOOKLINE_LONG'] === '1'

test.each(looks.slice(0, isLong ? 4 : 2))(
  'nothing keeps people from using a view: %s, %d wide',
  async (theme, width) => {
    const { page, go } = await stage.open({ theme, width })
    for (const [name, href, words] of views) {
      await go(href())
      await page.getByText(words).first().waitFor()
      const found = await seriousViolations(page)
      expect([name, ...found]).toEqual([name])
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - innerWidth,
      )
      expect([name, overflow]).toEqual([name, 0])
    }
    await page.keyboard.press('Control+k')
    const commands = page.getByRole('listbox', { name: 'Commands' })
    await commands.waitFor()
    expect(await seriousViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await commands.waitFor({ state: 'detached' })
  },
)

test('keys lead everywhere, and sessions are found by what stands in the address', async () => {
  const { page } = await stage.open()
  await pressPair(page, 'g s', page.getByText('2 sessions'))
  await page.keyboard.press('/')
  await page.keyboard.type('helper')
  await page.getByText('1 session', { exact: true }).waitFor()
  expect(page.url()).toBe(`${stage.daemon.url}/sessions?search=helper`)
  await page.reload()
  await page.getByText('1 session', { exact: true }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('Do it.').waitFor()
  expect(page.url()).toBe(`${stage.daemon.url}/sessions/${sessionId}`)
  await page.goBack()
  await page.getByText('1 session', { exact: true }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
})

test('the list of sessions follows what happens', async () => {
  const path = '/sessions'
  const { page } = await stage.open({ path })
  await page.getByText('2 sessions').waitFor()
  const list = page.getByRole('list', { name: 'Sessions' })
  await list.getByText('Waiting', { exact: true }).waitFor()
  const { id } = await stage.daemon.client.createSession({ agent: 'other' })
  await page.getByText('3 sessions').waitFor()
  await stage.daemon.client.closeSession({ sessionId: id })
  await list.getByText('Ended', { exact: true }).waitFor()
  // What is filtered by is asked of the daemon, not sought in what was loaded.
  await page.getByLabel('State').selectOption('waiting')
  await page.getByText('1 session', { exact: true }).waitFor()
  expect(page.url()).toBe(`${stage.daemon.url}/sessions?state=waiting`)
  expect(await list.getByText('helper').count()).toBe(1)
})

test('an address that leads nowhere says so', async () => {
  const path = '/sessions/unknown'
  const { page, go } = await stage.open({ path })
  await page.getByText('This session cannot be shown').waitFor()
  await go('/live/nowhere')
  await page.getByText('There is nothing at this address').waitFor()
})

test('what a view loads at first is at most 250 kB, compressed', () => {
  expect(builtPage()).not.toMatch(/<script>|<style|\s(?:style|on\w+)=/)
  const loads = firstLoads()
  expect(loads.length).toBeGreaterThan(2)
  for (const { view, bytes } of loads) {
    // The shell alone is more than that, or nothing was counted.
    expect([view, bytes > 50_000]).toEqual([view, true])
    expect([view, bytes <= 250_000]).toEqual([view, true])
  }
})

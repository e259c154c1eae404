import { expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { seriousViolations } from '../fixtures/inspector-page.ts'
import { stageInspector, until } from '../fixtures/stage.ts'
import type { TestDaemon } from '../fixtures/test-daemon.ts'

interface Played {
  readonly sessionId: string
  readonly turnId: string
}

let open: Played
let ended: Played

const callId = 'looked'

const stage = stageInspector({
  config: 'store: { retentionDays: { events: 0, payloads: 0 } }\n',
  async before(daemon) {
    daemon.script(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'There is nothing.' }
        : { calls: [{ id: callId, tool: 'glob', args: { pattern: '*' } }] },
    )
    open = await play(daemon)
    ended = await play(daemon)
    await daemon.client.closeSession({ sessionId: ended.sessionId })
    // What was kept long enough is removed when a daemon starts.
    await daemon.stop()
    await daemon.start()
    await until(async () => {
      const { client } = daemon
      const { args } = await client.whyCall({ callId, ...ended })
      const { events } = await client.traceTurn(open)
      expect([args, events]).toEqual([undefined, undefined])
    })
  },
})

async function play({ client }: TestDaemon): Promise<Played> {
  const { id: sessionId } = await client.createSession({})
  await client.send({ sessionId, input: 'What is there?', wait: true })
  const { items } = await client.listTurns({ sessionId })
  return { sessionId, turnId: String(items[0]?.id) }
}

test('a session that is no longer in the log of events says so, and shows what was said', async () => {
  const { sessionId } = open
  const { page, go } = await stage.open({
    path: hrefOf('session', { sessionId }),
  })
  const log = page.getByRole('log')
  await log.getByText('The log of events no longer has this session.').waitFor()
  expect(await seriousViolations(page)).toEqual([])
  const earlier = log.getByRole('button', { name: 'Show earlier messages' })
  await earlier.click()
  await log.getByText('What is there?').waitFor()
  await log.getByText('There is nothing.').waitFor()
  await earlier.waitFor({ state: 'detached' })
  // What comes now begins with its second turn, and hides the first one again.
  await page.getByLabel('Write to the agent').fill('And now?')
  await page.keyboard.press('Enter')
  await log.getByRole('region', { name: 'Turn 2' }).waitFor()
  await page.reload()
  await log.getByText('And now?').waitFor()
  await log.getByText('The log of events begins here.').waitFor()
  await earlier.click()
  await log.getByText('What is there?').waitFor()
  expect(await log.getByText('And now?').count()).toBe(1)
  // Of an ended one not even the words are kept.
  await go(hrefOf('session', { sessionId: ended.sessionId }))
  await earlier.click()
  await log.getByText(/The content of session .* was removed/).waitFor()
})

test('a turn that is no longer in the log of events is drawn as it was recorded, and says what is missing', async () => {
  const { page } = await stage.open({ path: hrefOf('turn', ended) })
  await page.getByText('The events of this turn are no longer kept').waitFor()
  const tree = page.getByRole('tree', { name: 'Timeline of the turn' })
  const row = (name: RegExp) => tree.getByRole('treeitem', { name })
  await row(/^Tool glob, Done/).waitFor()
  await row(/^Hook skills:allowed-tools, Proceeded/).waitFor()
  expect(await row(/^(?:Step|Model call)/).count()).toBe(0)
  await page.getByRole('button', { name: 'Prompt' }).click()
  await page.getByText('No authors are known of this prompt').waitFor()
  await page.getByText('store.retentionDays.events').waitFor()
})

test('what a call was given is said to be gone, and how long it is kept', async () => {
  const { sessionId: session, turnId: turn } = ended
  const path = hrefOf('call', { callId, session, turn })
  const { page } = await stage.open({ path })
  const sealed = page.getByRole('region', { name: 'Sealed arguments' })
  await sealed.getByText('What it was called with is no longer there').waitFor()
  await sealed.getByText('store.retentionDays.payloads').waitFor()
  // What is no content is there all the same.
  await page.getByText('was allowed by policy and a hook, and ran.').waitFor()
})

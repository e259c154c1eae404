import { afterEach, expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { askToWrite as askFor } from '../fixtures/ask-to-write.ts'
import {
  type InspectorPage,
  seriousViolations,
} from '../fixtures/inspector-page.ts'
import { stageInspector, until } from '../fixtures/stage.ts'

const stage = stageInspector()

afterEach(() =>
  // What the model is told next is for the next test.
  until(async () => {
    const { counts } = await stage.daemon.client.info()
    expect(counts.turns).toBe(0)
  }),
)

const hasResult = (request: { messages: readonly { role: string }[] }) =>
  request.messages.at(-1)?.role === 'tool'

test('a turn shows as it happens: words, calls, their results, and its end', async () => {
  const gate = Promise.withResolvers<void>()
  stage.daemon.script((request) =>
    hasResult(request)
      ? { text: 'It says so itself.', waitFor: gate.promise }
      : { text: 'I look.', calls: [{ tool: 'glob', args: { pattern: '*' } }] },
  )
  const { page } = await stage.open()
  await page.getByLabel('Write to the agent').fill('What is there?')
  await page.getByRole('button', { name: 'Start' }).click()
  const log = page.getByRole('log')
  await log.getByText('What is there?').waitFor()
  await log.getByText('I look.').waitFor()
  await log.getByRole('button', { name: /glob.*Done/ }).waitFor()
  await page.getByText('Running', { exact: true }).first().waitFor()
  expect(await log.getByText('It says so itself.').count()).toBe(0)
  gate.resolve()
  await log.getByText('It says so itself.').waitFor()
  await page.getByText('Idle', { exact: true }).first().waitFor()
  expect(page.url()).toMatch(/\/sessions\/[^/]+$/)
})

async function askToWrite(sessionId: string): Promise<void> {
  stage.daemon.script((request) =>
    hasResult(request)
      ? { text: `Told: ${JSON.stringify(request.messages.at(-1))}` }
      : {
          calls: [
            {
              tool: 'write',
              args: { path: 'new.txt', content: 'Hello there.' },
            },
          ],
        },
  )
  await stage.daemon.client.send({ sessionId, input: 'Write it.' })
}

test('what is approved on the page runs', async () => {
  const { id } = await stage.daemon.client.createSession({})
  const { page } = await stage.open({ path: `/sessions/${id}` })
  await askToWrite(id)
  const card = page.getByRole('region', { name: 'Approval of write' })
  await card
    .getByLabel('Arguments', { exact: true })
    .getByText('Hello there.')
    .waitFor()
  // The keyboard alone will do.
  await page.keyboard.press('w')
  await page.keyboard.press('Enter')
  await page.getByText('Allowed by user:owner').waitFor()
  await page.getByRole('button', { name: /write.*Done/ }).waitFor()
  await card.waitFor({ state: 'detached' })
})

test('what is denied on the page does not run, and the agent is told why', async () => {
  const { id } = await stage.daemon.client.createSession({})
  const { page } = await stage.open({ path: `/sessions/${id}` })
  await askToWrite(id)
  const card = page.getByRole('region', { name: 'Approval of write' })
  await card.getByRole('button', { name: 'Deny' }).click()
  await card.getByLabel('Why not').fill('Not on a Sunday.')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /write.*Denied/ }).waitFor()
  await page.getByText('Denied by user:owner').first().waitFor()
  await page.getByText(/Told: .*Not on a Sunday\./).waitFor()
})

test('what is answered elsewhere is no longer asked here', async () => {
  const { id } = await stage.daemon.client.createSession({})
  const first = await stage.open({ path: `/sessions/${id}` })
  const second = await stage.open({ path: `/sessions/${id}` })
  await askToWrite(id)
  const cardOn = ({ page }: InspectorPage) =>
    page.getByRole('region', { name: 'Approval of write' })
  await cardOn(first).waitFor()
  await cardOn(second)
    .getByRole('button', { name: 'Approve', exact: true })
    .click()
  await cardOn(first).waitFor({ state: 'detached' })
  await first.page.getByText('Allowed by user:owner').waitFor()
})

test('a turn that runs can be steered and stopped', async () => {
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  let calls = 0
  stage.daemon.script(() =>
    calls++ > 0
      ? { text: 'Never said.', waitFor: second.promise }
      : {
          calls: [{ tool: 'glob', args: { pattern: '*' } }],
          waitFor: first.promise,
        },
  )
  const { id } = await stage.daemon.client.createSession({})
  const { page } = await stage.open({ path: `/sessions/${id}` })
  await page.getByLabel('Write to the agent').fill('Begin.')
  await page.keyboard.press('Enter')
  const field = page.getByLabel('Steer the agent')
  await field.fill('Mind the gap.')
  await page.keyboard.press('Enter')
  await page.getByText('The agent hears that before its next step.').waitFor()
  first.resolve()
  await page.getByText('while it ran').waitFor()
  await page.getByRole('log').getByText('Mind the gap.').waitFor()
  await page.getByRole('button', { name: 'Stop the turn' }).click()
  await page.getByRole('log').getByText('Cancelled').first().waitFor()
  second.resolve()
  await page.getByText('Idle', { exact: true }).first().waitFor()
})

test('questions of an agent are answered on the page', async () => {
  stage.daemon.script((request) =>
    hasResult(request)
      ? { text: `Told: ${JSON.stringify(request.messages.at(-1))}` }
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
  const { id } = await stage.daemon.client.createSession({})
  const { page, go } = await stage.open()
  // Where nobody looks, nobody is asked.
  const told = page.waitForResponse(/\/attend$/)
  await go(`/sessions/${id}`)
  await told
  await stage.daemon.client.send({ sessionId: id, input: 'Ask me.' })
  const form = page.getByRole('form', { name: 'Questions of the agent' })
  await form.getByLabel('Blue').check()
  await form.getByRole('button', { name: 'Answer' }).click()
  await page.getByText(/Told: .*Blue/).waitFor()
  await form.waitFor({ state: 'detached' })
})

test('a long session is drawn in parts', async () => {
  stage.daemon.script(() => ({ text: 'Yes.' }))
  const { id } = await stage.daemon.client.createSession({})
  for (let turn = 1; turn <= 25; turn++) {
    await stage.daemon.client.send({
      sessionId: id,
      input: `Number ${turn}.`,
      wait: true,
    })
  }
  const { page } = await stage.open({ path: `/sessions/${id}` })
  await page.getByText('Number 25.').waitFor()
  expect(await page.getByText('Number 5.', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: /Show 5 of 5 earlier turns/ }).click()
  await page.getByText('Number 1.', { exact: true }).waitFor()
})

test('a page that nobody looks at lets go of its stream, and catches up', async () => {
  stage.daemon.script(() => ({ text: 'Meanwhile.' }))
  const { id } = await stage.daemon.client.createSession({})
  const { page } = await stage.open({
    path: `/sessions/${id}`,
    // Time stands still for all of its browser.
    isApart: true,
  })
  await page.getByText('Nothing was said yet').waitFor()
  const streams = async () => (await stage.daemon.client.info()).counts.streams
  const become = (state: 'hidden' | 'visible') =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', {
        value,
        configurable: true,
      })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await until(async () => expect(await streams()).toBe(1))
  await page.clock.install()
  await become('hidden')
  await page.clock.fastForward(61_000)
  await until(async () => expect(await streams()).toBe(0))
  await stage.daemon.client.send({ sessionId: id, input: 'Go on.', wait: true })
  await become('visible')
  await page.getByText('Meanwhile.').waitFor()
  await until(async () => expect(await streams()).toBe(1))
})

test('what is deleted while somebody looks at it says so, and leads back', async () => {
  const { client } = stage.daemon
  const { sessionId, approvalId } = await askFor(stage.daemon, 'new.txt')
  const turnId = String((await client.getSession({ sessionId })).turnId)
  const session = await stage.open({ path: hrefOf('session', { sessionId }) })
  const turn = await stage.open({ path: hrefOf('turn', { sessionId, turnId }) })
  const approval = await stage.open({
    path: hrefOf('approval', { approvalId }),
  })
  await session.page.getByRole('region', { name: 'Approval of' }).waitFor()
  await turn.page.getByRole('treeitem', { name: /^Tool write/ }).waitFor()
  await approval.page.getByRole('button', { name: 'Deny' }).waitFor()
  await client.deleteSession({ sessionId })
  for (const [what, { page }] of Object.entries({ session, turn, approval })) {
    await page
      .getByRole('status')
      .getByText(`This ${what} was deleted`)
      .waitFor()
    for (const role of ['textbox', 'log', 'tree'] as const) {
      expect([what, await page.getByRole(role).count()]).toEqual([what, 0])
    }
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  }
  expect(await seriousViolations(session.page)).toEqual([])
  await session.page.getByRole('link', { name: 'All sessions' }).click()
  await session.page.getByLabel('Search sessions').waitFor()
  // Whoever comes later finds nothing, and the way back as well.
  await session.page.goBack()
  await session.page.reload()
  await session.page.getByText('This session cannot be shown').waitFor()
  const main = session.page.getByRole('main')
  await main.getByRole('link', { name: 'Sessions' }).waitFor()
  // One that had ended says nothing more itself.
  const { shownHash, ...asked } = await askFor(stage.daemon, 'other.txt')
  const no = { approvalId: asked.approvalId, shownHash, type: 'deny' } as const
  await client.answerApproval(no)
  const { page, go } = approval
  await go(hrefOf('approval', { approvalId: asked.approvalId }))
  await page.getByText('Denied by user:owner').first().waitFor()
  await client.closeSession({ sessionId: asked.sessionId })
  await client.deleteSession({ sessionId: asked.sessionId })
  await page.getByText('This approval was deleted').waitFor()
})

test('what a sub-agent asks is answered in the session that it works for', async () => {
  const { client } = stage.daemon
  // Models name their calls, and both have the same idea.
  const delegate = { tasks: [{ agent: 'other', task: 'SUBTASK' }] }
  const write = { path: 'a.txt', content: 'A' }
  stage.daemon.script((request) => {
    if (hasResult(request)) return { text: 'Done.' }
    return JSON.stringify(request.messages).includes('SUBTASK')
      ? { calls: [{ id: 'c1', tool: 'write', args: write }] }
      : { calls: [{ id: 'c1', tool: 'delegate', args: delegate }] }
  })
  const { id: sessionId } = await client.createSession({ agent: 'helper' })
  const { page } = await stage.open({ path: hrefOf('session', { sessionId }) })
  await client.send({ sessionId, input: 'Go on.' })
  const log = page.getByRole('log')
  await log.getByRole('button', { name: /^other › write.*Waits/ }).waitFor()
  await log.getByRole('button', { name: /^delegate.*Running/ }).waitFor()
  await log.getByRole('button', { name: 'Deny' }).click()
  await page.keyboard.press('Enter')
  await log.getByRole('button', { name: /^other › write.*Denied/ }).waitFor()
  await log.getByText('Denied by user:owner.').waitFor()
  await log.getByText('other ended: succeeded').waitFor()
  await log.getByRole('button', { name: /^delegate.*Done/ }).waitFor()
})

test('a call leads to why it was allowed, whatever the model has called it', async () => {
  const { client } = stage.daemon
  const names = ['..', 'hkl_x', 'a/b?c#d']
  stage.daemon.script((request) =>
    hasResult(request)
      ? { text: 'Done.' }
      : {
          calls: names.map((id) => {
            return { id, tool: 'glob', args: { pattern: `${id}*` } }
          }),
        },
  )
  const { id: sessionId } = await client.createSession({})
  await client.send({ sessionId, input: 'Go.', wait: true })
  const { page } = await stage.open({ path: hrefOf('session', { sessionId }) })
  for (const [at] of names.entries()) {
    const call = page.getByRole('log').getByRole('button', { name: /^glob/ })
    await call.nth(at).click()
    await page.getByRole('link', { name: 'Why was this allowed?' }).click()
    await page.getByText('was allowed by policy and a hook').waitFor()
    await page.goBack()
  }
})

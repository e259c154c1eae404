import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { tokenOf } from '../fixtures/principal-token.ts'
import { stageInspector, until } from '../fixtures/stage.ts'

const stage = stageInspector({ config: 'daemon: { approvers: 2 }\n' })

type Write = { readonly path: string; readonly content: string }

/** The agent writes what it is told to write, and says what came of it. */
function obey(): void {
  stage.daemon.script(({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return { text: `Told: ${JSON.stringify(last)}` }
    const [said] = last?.content ?? []
    const wanted = said?.type === 'text' ? said.text : '[]'
    const files = JSON.parse(wanted) as readonly Write[]
    return { calls: files.map((args) => ({ tool: 'write', args })) }
  })
}

const countOf = async (sessionId?: string) => {
  const about = sessionId === undefined ? {} : { sessionId }
  const wanted = { ...about, withCount: true, limit: 1 }
  return (await stage.daemon.client.listApprovals(wanted)).count
}

async function askToWrite(files: readonly Write[]): Promise<string> {
  const { client } = stage.daemon
  const { id: sessionId } = await client.createSession({})
  await client.send({ sessionId, input: JSON.stringify(files) })
  return sessionId
}

async function openAs(token: string, path: string): Promise<Page> {
  const { page } = await stage.open({ path, isSignedIn: false })
  await page.getByLabel('Or paste a token').fill(token)
  await page.keyboard.press('Enter')
  return page
}

test('where two have to agree, the first yes counts, the same again does not, and the second decides', async () => {
  obey()
  const { daemon } = stage
  const [ann, bob] = await Promise.all(
    ['ann', 'bob'].map((name) => tokenOf(daemon, name, 'run,approve')),
  )
  const sessionId = await askToWrite([{ path: 'two.txt', content: 'Both.' }])
  await until(async () => expect(await countOf(sessionId)).toBe(1))
  const { items } = await daemon.client.listApprovals({ sessionId })
  const approvalId = items[0]?.id ?? ''
  const path = hrefOf('approval', { approvalId })
  const stateNow = async () => {
    const { state, votes } = await daemon.client.getApproval({ approvalId })
    return [state, votes]
  }
  const approve = (page: Page) =>
    page.getByRole('button', { name: 'Approve', exact: true })

  // Who asked for it is none of the two.
  const owner = await stage.open({ path })
  await owner.page.getByText('You asked for this yourself').waitFor()
  expect(await approve(owner.page).count()).toBe(0)
  await owner.page.keyboard.press('a')

  const first = await openAs(ann ?? '', path)
  await first.getByText('2 people have to agree; 0 have so far.').waitFor()
  await approve(first).click()
  await first.getByText('Your yes counts.').waitFor()
  await first.getByText('2 people have to agree; 1 has so far.').waitFor()
  await approve(first).click()
  await first.getByText('You have agreed already.').waitFor()
  expect(await stateNow()).toEqual(['pending', 1])
  await owner.page.getByText('1 has so far.').waitFor()

  const second = await openAs(bob ?? '', path)
  await second.getByText('1 has so far.').waitFor()
  await approve(second).click()
  for (const page of [first, owner.page]) {
    const words = 'Approved by user:ann and user:bob'
    await page.getByText(words).first().waitFor()
  }
  await until(async () => {
    const written = await readFile(join(daemon.root, 'two.txt'), 'utf8')
    expect(written).toBe('Both.')
  })
})

test('T49 what was denied is not asked again, and a no is heard by the agent', async () => {
  const args = { path: 'again.txt', content: 'A' }
  let asked = 0
  stage.daemon.script(() =>
    asked++ < 2 ? { calls: [{ tool: 'write', args }] } : { text: 'I give up.' },
  )
  const { client } = stage.daemon
  const { id: sessionId } = await client.createSession({})
  await client.send({ sessionId, input: 'Write.' })
  const path = hrefOf('approvals', { session: sessionId })
  const { page, go } = await stage.open({ path })
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByLabel('Why not').fill('Never on a Sunday.')
  await page.keyboard.press('Enter')
  await page.getByText('Nothing waits for you').first().waitFor()
  await go(hrefOf('session', { sessionId }))
  await page.getByText('I give up.').waitFor()
  const denied = page.getByRole('button', { name: /write.*Denied/ })
  expect(await denied.count()).toBe(2)
  // The second one, which nobody was asked about.
  await page
    .getByText(/Never on a Sunday/)
    .nth(1)
    .waitFor()
  const { items } = await client.listApprovals({ sessionId, state: 'answered' })
  expect(items).toHaveLength(1)
})

const perSession = 100

test('F190 T49 of thousands of questions a page has some at a time, and a session asks only so many', async () => {
  obey()
  const files = Array.from({ length: perSession + 20 }, (_, at) => ({
    path: `${at}.txt`,
    content: 'A',
  }))
  const sessions: string[] = []
  for (let at = 0; at < 11; at++) sessions.push(await askToWrite(files))
  for (const sessionId of sessions) {
    await until(async () => expect(await countOf(sessionId)).toBe(perSession))
  }
  const [session = ''] = sessions
  const { page, go } = await stage.open({ path: '/approvals' })
  const list = page.getByRole('list', { name: 'Waiting' })
  const rows = list.getByRole('link')
  await page.getByText('100+ waiting').waitFor()
  expect(await rows.count()).toBe(100)
  const more = page.getByRole('button', { name: 'Show more' })
  await more.first().click()
  await page.getByText('200+ waiting').waitFor()
  expect(await rows.count()).toBe(200)
  const drawn = await page.evaluate(() => document.querySelectorAll('*').length)
  expect(drawn).toBeLessThan(10_000)
  // What one session asks is found among them, and is all that it may ask.
  await go(hrefOf('approvals', { session }))
  await until(async () => expect(await rows.count()).toBe(perSession))
  const { client } = stage.daemon
  const { items } = await client.listApprovals({ sessionId: session, limit: 1 })
  const { id: approvalId = '', shownHash = '' } = items[0] ?? {}
  await client.answerApproval({ approvalId, shownHash, type: 'deny' })
  await page.getByText(`${perSession - 1} waiting`, { exact: true }).waitFor()
  expect(await rows.count()).toBe(perSession - 1)
})

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hrefOf } from '../around/routes/addresses.ts'
import { stageInspector, until } from '../fixtures/stage.ts'

let sessionId = ''
let turnId = ''
let runId = ''
let approvalId = ''

const stage = stageInspector({
  async before(daemon) {
    const { client } = daemon
    daemon.script(() => ({
      text: 'I write.',
      calls: [{ tool: 'write', args: { path: 'a.txt', content: 'A' } }],
    }))
    sessionId = (await client.createSession({ agent: 'helper' })).id
    await client.send({ sessionId, input: 'Do it.' })
    await until(async () => {
      const { items } = await client.listApprovals({})
      expect(items).toHaveLength(1)
      approvalId = items[0]?.id ?? ''
    })
    const { items } = await client.listTurns({ sessionId })
    turnId = String(items[0]?.id)
    const runs = await client.listRuns({ point: 'tool.guard' })
    runId = runs.items[0]?.id ?? ''
  },
})

const views: readonly (readonly [string, () => string, string])[] = [
  ['live', () => hrefOf('live'), 'Recent sessions'],
  ['sessions', () => hrefOf('sessions'), '1 session'],
  ['session', () => hrefOf('session', { sessionId }), 'Waits for a yes'],
  ['turn', () => hrefOf('turn', { sessionId, turnId }), 'Waits for a person'],
  ['run', () => hrefOf('run', { runId }), 'Time against its deadline'],
  ['approvals', () => hrefOf('approval', { approvalId }), 'once'],
  ['plan', () => hrefOf('plan', { point: 'tool.guard' }), 'May answer'],
  ['health', () => hrefOf('health'), 'Tokens in'],
  ['settings', () => hrefOf('settings'), 'Rights'],
]

interface Stop {
  readonly name: string
  readonly isMarked: boolean
  readonly isInSight: boolean
}

/** What has the focus, and whether somebody can see that it does. */
function focused(page: Page): Promise<Stop | undefined> {
  return page.evaluate(() => {
    const { activeElement: element } = document
    if (element === null || element === document.body) return undefined
    const isMarked = (one: Element | null) => {
      if (one === null) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
      const hasOutline = outlineStyle !== 'none' && outlineWidth !== '0px'
      return hasOutline || boxShadow !== 'none'
    }
    const { top, left, bottom, right } = element.getBoundingClientRect()
    const name =
      element.getAttribute('aria-label') ??
      (element.textContent || element.getAttribute('placeholder') || '')
    return {
      name: name.trim(),
      isMarked: isMarked(element) || isMarked(element.parentElement),
      isInSight:
        bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
    }
  })
}

test('whatever the tab key comes to has a name, is in sight, and shows it', async () => {
  const { page, go } = await stage.open()
  for (const [view, href, words] of views) {
    await go(href())
    await page.getByText(words).first().waitFor()
    // From the beginning, wherever the last view was left.
    await page.evaluate(() => {
      document.body.tabIndex = -1
      document.body.focus()
      document.body.removeAttribute('tabindex')
    })
    let stops = 0
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press('Tab')
      const stop = await focused(page)
      if (stop === undefined) break
      stops++
      expect([view, stop]).toEqual([
        view,
        { name: expect.stringMatching(/./), isMarked: true, isInSight: true },
      ])
    }
    expect([view, stops > 10]).toEqual([view, true])
  }
})

test('the first stop leads past the navigation, and a view that is gone hands the focus on', async () => {
  const { page } = await stage.open({ path: '/sessions' })
  await page.getByText('1 session', { exact: true }).waitFor()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('button', { name: 'Skip to the view' })
  expect(await skip.evaluate((one) => one === document.activeElement)).toBe(
    true,
  )
  expect((await skip.boundingBox())?.width).toBeGreaterThan(50)
  await page.keyboard.press('Enter')
  const main = page.getByRole('main', { name: 'Sessions' })
  const hasFocus = () => main.evaluate((one) => one === document.activeElement)
  expect(await hasFocus()).toBe(true)
  // What was opened is gone with its list.
  await page.getByRole('list', { name: 'Sessions' }).getByRole('link').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('log').waitFor()
  await until(async () => expect(await hasFocus()).toBe(true))
})

test('the question mark tells all keys of a view, and gives the focus back', async () => {
  const path = hrefOf('turn', { sessionId, turnId })
  const { page } = await stage.open({ path })
  await page.getByRole('treeitem').nth(2).waitFor()
  await page.getByRole('tree').focus()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard' })
  await keys.getByText('Unfold, or go in').waitFor()
  const caps = await keys.locator('kbd').allTextContents()
  expect(caps).toEqual(expect.arrayContaining(['+', '-', '←', '→', 'Enter']))
  expect(caps).not.toContain('')
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  const tree = page.getByRole('tree')
  await until(async () =>
    expect(await tree.evaluate((one) => one === document.activeElement)).toBe(
      true,
    ),
  )
})

test('an answer is given by its own key, and by no other', async () => {
  const path = hrefOf('approval', { approvalId })
  const { page } = await stage.open({ path })
  await page.locator('[data-keys="ready"]').waitFor({ state: 'attached' })
  const reason = page.getByLabel('Why not')
  for (const keys of ['Alt+d', 'Shift+d', 'Control+Shift+d']) {
    await page.keyboard.press(keys)
    expect([keys, await reason.count()]).toEqual([keys, 0])
  }
  // A menu is above the view: its letters look for its own items.
  await page.getByRole('button', { name: 'Approve for longer' }).click()
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('d')
  expect(await reason.count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.keyboard.press('d')
  await reason.waitFor()
  await page.keyboard.press('Escape')
  await reason.waitFor({ state: 'detached' })
  const { state } = await stage.daemon.client.getApproval({ approvalId })
  expect(state).toBe('pending')
})

test('whoever wants no motion sees none', async () => {
  const path = hrefOf('session', { sessionId })
  const { page } = await stage.open({ path })
  await page.getByText('Waits for a yes').waitFor()
  const longest = () =>
    page.evaluate(() => {
      const times = document.getAnimations().map(({ effect }) => {
        return Number(effect?.getComputedTiming().endTime ?? 0)
      })
      return Math.max(0, ...times)
    })
  expect(await longest()).toBeLessThan(1)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  // What waits is alive for everybody else, or nothing was looked at.
  expect(await longest()).toBe(Number.POSITIVE_INFINITY)
})

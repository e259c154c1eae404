import type { Page } from 'playwright-core'
import { hrefOf } from '../src/around/routes/addresses.ts'
import type { Daemon } from './play-story.ts'

export interface Shot {
  readonly name: string
  readonly href: string
  readonly prepare?: (page: Page) => Promise<void>
}

/** What is taken a picture of, once the story was played. */
export async function listShots(
  { client }: Daemon,
  sessions: readonly string[],
): Promise<readonly Shot[]> {
  const [first = ''] = sessions
  const { items } = await client.listTurns({ sessionId: first })
  const shots = shotsOf(sessions, String(items[0]?.id))
  return [...shots, ...(await runShots(client))]
}

function shotsOf(
  [first = '', second = '']: readonly string[],
  turnId: string,
): Shot[] {
  return [
    { name: 'live', href: hrefOf('live') },
    { name: 'sessions', href: hrefOf('sessions') },
    {
      name: 'sessions-empty',
      href: hrefOf('sessions', { search: 'nothing like it' }),
    },
    { name: 'session', href: hrefOf('session', { sessionId: first }) },
    {
      name: 'session-approval',
      href: hrefOf('session', { sessionId: second }),
    },
    {
      name: 'session-call',
      href: hrefOf('session', { sessionId: first }),
      prepare: async (page) => {
        const calls = page.getByRole('button', { name: /settings\.ini/ })
        await calls.last().click()
      },
    },
    { name: 'turn', href: hrefOf('turn', { sessionId: first, turnId }) },
    {
      name: 'turn-detail',
      href: hrefOf('turn', { sessionId: first, turnId }),
      prepare: async (page) => {
        const rejected = page.getByRole('treeitem', { name: /^Hook.*Rejected/ })
        await rejected.first().click()
        // What is pointed at says more about itself, above the rest.
        await page.mouse.move(0, 0)
      },
    },
    {
      name: 'turn-prompt',
      href: hrefOf('turn', { sessionId: first, turnId, tab: 'prompt' }),
    },
    { name: 'approvals', href: hrefOf('approvals') },
    {
      name: 'approvals-modify',
      href: hrefOf('approvals'),
      prepare: async (page) => {
        const phone = page.getByRole('list', { name: 'Waiting' })
        const modify = page.getByRole('button', { name: 'Modify' })
        if (!(await modify.isVisible())) await phone.getByRole('link').click()
        await modify.click()
      },
    },
    {
      name: 'approvals-answered',
      href: hrefOf('approvals'),
      prepare: async (page) => {
        const answered = page.getByRole('list', { name: 'Answered' })
        await answered.getByRole('link').first().click()
      },
    },
    { name: 'plans', href: hrefOf('plans') },
    { name: 'plan', href: hrefOf('plan', { point: 'tool.guard' }) },
    {
      name: 'plan-preview',
      href: hrefOf('plan', { point: 'tool.guard' }),
      prepare: async (page) => {
        const plan = page.getByRole('list', { name: 'Plan of tool.guard' })
        await plan.getByRole('button').first().click()
        await page.getByRole('button', { name: 'Only evaluate…' }).click()
      },
    },
    {
      name: 'plan-hook',
      href: hrefOf('plan', { point: 'tool.guard' }),
      prepare: async (page) => {
        const plan = page.getByRole('list', { name: 'Plan of tool.guard' })
        await plan.getByRole('button').first().click()
      },
    },
    { name: 'health', href: hrefOf('health', { since: '1h' }) },
    {
      name: 'health-usage',
      href: hrefOf('health', { since: '1h' }),
      prepare: async (page) => {
        const usage = page.getByRole('region', { name: 'Tokens and cost' })
        await usage.scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'session-unknown',
      href: hrefOf('session', { sessionId: 'unknown' }),
    },
    { name: 'settings', href: hrefOf('settings') },
    {
      name: 'palette',
      href: hrefOf('sessions'),
      prepare: async (page) => {
        await page.keyboard.press('Control+k')
      },
    },
    {
      name: 'keys',
      href: hrefOf('sessions'),
      prepare: async (page) => {
        await page.keyboard.press('?')
      },
    },
    { name: 'not-found', href: '/sessions/a/b/c/d' },
  ]
}

/** The call that somebody was asked about, and has answered. */
async function askedHref(client: Daemon['client']): Promise<string> {
  const { items } = await client.listApprovals({ state: 'answered' })
  const { callId = '', sessionId: session, turnId: turn } = items[0] ?? {}
  return hrefOf('call', { callId, session, turn })
}

/** What hooks did in the story: one that refused, one that added, one call. */
async function runShots(client: Daemon['client']): Promise<readonly Shot[]> {
  const { items } = await client.listRuns({ limit: 1_000 })
  const refused = items.find(({ answer }) => answer === 'reject')
  const added = items.find(({ contributions }) => contributions.length > 0)
  const changed = items.find(({ answer }) => answer === 'transform')
  const { callId = '', sessionId: session, turnId: turn } = refused ?? {}
  return [
    { name: 'runs', href: hrefOf('runs') },
    { name: 'runs-empty', href: hrefOf('runs', { search: 'nothing like it' }) },
    { name: 'run-refused', href: hrefOf('run', { runId: refused?.id ?? '' }) },
    { name: 'run-added', href: hrefOf('run', { runId: added?.id ?? '' }) },
    { name: 'run-changed', href: hrefOf('run', { runId: changed?.id ?? '' }) },
    { name: 'call', href: hrefOf('call', { callId, session, turn }) },
    { name: 'call-asked', href: await askedHref(client) },
    {
      name: 'health-hook',
      href: hrefOf('health', { hook: refused?.hook ?? '', since: '1h' }),
    },
    { name: 'runs-session', href: hrefOf('runs', { session }) },
  ]
}

import { defineHook, type Hook, proceed, type Visibility } from 'hookline'
import { type AgentEvent, sessionStart, turnPreTurn } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import type { CallContext } from '../protocol/caller.ts'
import type { StreamItem } from '../protocol/schemas/events.ts'
import { hostWorld } from './fixtures/host-world.ts'
import { contextOf, type OpenedHost } from './fixtures/open-host.ts'

const soon = { timeout: 30_000, interval: 20 }
const owner = contextOf()
const user = contextOf({ id: 'bob', rights: ['run'] })

/** Must not fail, and does for `agent`. */
function failing(name: string, agent: string, visibility: Visibility): Hook {
  return defineHook({
    name,
    on: turnPreTurn,
    visibility,
    onFailure: 'required',
    match: (_turn, scope) => scope.agent === agent,
    run: () => {
      throw new Error('It broke.')
    },
  })
}

async function begin({ service }: OpenedHost, agent: string) {
  const { id: sessionId } = await service.createSession({ agent }, owner)
  const say = (input: string, by: CallContext, key?: string) =>
    service.send({ sessionId, input, wait: true, ...(key && { key }) }, by)
  return { sessionId, say }
}

/** All that streams have told of a session. */
async function streamed(
  { service }: OpenedHost,
  sessionId: string,
  who: CallContext,
): Promise<readonly StreamItem[]> {
  const asked = { sessionId, fromStart: true, untilNow: true }
  const items: StreamItem[] = []
  for await (const item of await service.watchSession(asked, who)) {
    items.push(item)
  }
  return items
}

const eventsOf = <Type extends AgentEvent['type']>(
  items: readonly StreamItem[],
  type: Type,
) =>
  items.flatMap((item) =>
    item.type === 'event' && isOf(item.event, type) ? [item.event] : [],
  )

function isOf<Type extends AgentEvent['type']>(
  event: AgentEvent,
  type: Type,
): event is AgentEvent & { readonly type: Type } {
  return event.type === type
}

test.each([
  ['internal', undefined],
  ['debug', undefined],
  ['user_audit', 'secret'],
  ['user_visible', 'secret'],
] as const)(
  'a turn that fails by a hook that is %s has its name for whoever may see the hook',
  async (visibility, forUsers) => {
    const world = await hostWorld()
    const hooks = [failing('secret', 'main', visibility)]
    const opened = await world.open({ hooks })
    const { sessionId, say } = await begin(opened, 'main')
    const message = 'A hook is required at turn.pre_turn, and failed: threw.'
    const code = 'required-failed'
    for (const [who, hook] of [
      [user, forUsers],
      [owner, 'secret'],
    ] as const) {
      const error = { code, message, ...(hook && { hook }) }
      const { id } = who.caller
      const first = await say('Hello.', who, id)
      expect(first).toMatchObject({ status: 'failed' })
      expect(first).toHaveProperty('error', error)
      const { items } = await opened.service.listTurns({ sessionId }, who)
      expect(items.map((turn) => turn.error)).toContain(message)
      const ends = async () =>
        eventsOf(await streamed(opened, sessionId, who), 'turn-end')
      await expect
        .poll(async () => (await ends()).map((end) => end.error), soon)
        .toContainEqual(error)
      // The same again, as the journal has it.
      const again = await say('Hello.', who, id)
      expect(again).toMatchObject({ isDuplicate: true, error: { message } })
      const told = JSON.stringify([first, again, items, await ends()])
      expect(told.includes('secret')).toBe(hook !== undefined)
    }
  },
)

test('a session is refused without the name of the hook that failed', async () => {
  const refusing = defineHook({
    name: 'secret',
    on: sessionStart,
    visibility: 'internal',
    onFailure: 'required',
    run: () => {
      throw new Error('It broke.')
    },
  })
  const world = await hostWorld()
  const { service } = await world.open({ hooks: [refusing] })
  for (const who of [user, owner]) {
    await expect(service.createSession({}, who)).rejects.toMatchObject({
      code: 'not-allowed',
      message:
        'The session was refused: A hook is required at session.start, and failed: threw.',
    })
  }
})

test('an alarm about a hook names it to whoever may see it', async () => {
  const late = Promise.withResolvers<void>()
  const slow = (name: string, visibility: Visibility) =>
    defineHook({
      name,
      on: turnPreTurn,
      visibility,
      timeoutMs: 1,
      onFailure: 'open',
      run: async () => {
        await late.promise
        return proceed
      },
    })
  const world = await hostWorld()
  const hooks = [slow('secret', 'internal'), slow('seen', 'user_visible')]
  const opened = await world.open({ hooks })
  const { say } = await begin(opened, 'main')
  await say('Hello.', user)
  late.resolve()
  const alarms = async (who: CallContext) => {
    const asked = { fromStart: true, untilNow: true }
    const about: unknown[] = []
    for await (const item of await opened.service.watchAll(asked, who)) {
      if (item.type === 'notice' && item.name === 'alarm') about.push(item.data)
    }
    return about
  }
  const lateBy = (about: string) => ({ code: 'late', about })
  await expect
    .poll(() => alarms(owner), soon)
    .toEqual([lateBy('secret'), lateBy('seen')])
  expect(await alarms(user)).toEqual([
    lateBy('a hook that you may not see'),
    lateBy('seen'),
  ])
})

import { expect, test } from 'vitest'
import { operationSchemas } from '../protocol/operations.ts'
import { hostWorld } from './fixtures/host-world.ts'
import { contextOf } from './fixtures/open-host.ts'

const context = contextOf()
const soon = { timeout: 30_000, interval: 20 }
const timeout = 60_000
const conflict = {
  code: 'conflict',
  message: expect.stringContaining('of its own'),
}

test.each(['sqlite', 'postgres'] as const)(
  'F201 a key that comes with another body is a conflict, whatever has become of the first: %s',
  { timeout },
  async (dialect) => {
    const { open, openGate, effects } = await hostWorld(dialect)
    const one = await open()
    const { id: sessionId } = await one.service.createSession({}, context)
    const send = (more = {}, { service } = one) =>
      service.send(
        { sessionId, input: 'slow', key: 'k', wait: true, ...more },
        context,
      )
    const refuseOthers = async () => {
      const output = { type: 'object' }
      for (const other of [{ input: 'Other.' }, { output }]) {
        await expect(send(other)).rejects.toMatchObject(conflict)
      }
    }
    const first = send()
    await expect.poll(effects, soon).toHaveLength(1)
    await refuseOthers()
    const left = one.service.send({ sessionId, input: 'A.', key: 'b' }, context)
    await left
    const behind = one.service.send(
      { sessionId, input: 'B.', key: 'b' },
      context,
    )
    await expect(behind).rejects.toMatchObject(conflict)
    openGate()
    const { turnId, text } = await first
    await refuseOthers()
    expect(await send()).toMatchObject({ turnId, text, isDuplicate: true })
    await one.close()
    const two = await open()
    const other = send({ input: 'Other.' }, two)
    await expect(other).rejects.toMatchObject(conflict)
    expect(await send({}, two)).toMatchObject({ turnId, isDuplicate: true })
    expect(effects()).toHaveLength(1)
  },
)

test('F201 words and events with a key that comes with others are a conflict', {
  timeout,
}, async () => {
  const { open, effects, openGate } = await hostWorld()
  const { service } = await open()
  const { id: sessionId } = await service.createSession({}, context)
  const slow = service.send({ sessionId, input: 'slow', wait: true }, context)
  await expect.poll(effects, soon).toHaveLength(1)
  const steer = async (input: string) =>
    await service.steer({ sessionId, input, key: 'k' }, context)
  const first = await steer('Quick!')
  expect(await steer('Quick!')).toEqual(first)
  await expect(steer('Slow!')).rejects.toMatchObject(conflict)
  openGate()
  expect((await slow).text).toContain('Quick!')
  // Also when it is over, and what was said is gone from the inbox.
  await expect(steer('Slow!')).rejects.toMatchObject(conflict)
  expect(await steer('Quick!')).toEqual(first)
  const emit = async (data: object) =>
    await service.emit({ name: 'build.done', key: 'k', data }, context)
  const told = await emit({ a: 1, b: 2 })
  expect(await emit({ b: 2, a: 1 })).toEqual(told)
  await expect(emit({ a: 2 })).rejects.toMatchObject(conflict)
})

const bad = [
  '',
  'a\nb',
  'a\u0000b',
  'a\u202eb',
  'a\u200bb',
  'a\u2028b',
  'a\ud800b',
  'x'.repeat(201),
]

test('names from outside are refused before anything runs, whatever they name', () => {
  const named = [
    ['createSession', 'id'],
    ['createSession', 'agent'],
    ['getSession', 'sessionId'],
    ['send', 'key'],
    ['steer', 'key'],
    ['emit', 'key'],
    ['emit', 'name'],
    ['createWake', 'event'],
    ['createWake', 'agent'],
    ['createWake', 'sessionId'],
    ['deleteWake', 'wakeId'],
    ['getAgent', 'agent'],
    ['forgetMemory', 'agent'],
    ['setHook', 'name'],
    ['listRuns', 'hook'],
    ['traceTurn', 'turnId'],
    ['getApproval', 'approvalId'],
  ] as const
  const problemsOf = (operation: (typeof named)[number], value: string) => {
    const [name, input] = operation
    const parsed = operationSchemas[name].input.safeParse({ [input]: value })
    const issues = parsed.error?.issues ?? []
    return issues.filter(({ path }) => path[0] === input)
  }
  for (const operation of named) {
    for (const value of bad) {
      const told = `${operation.join()} ${JSON.stringify(value)}`
      expect(problemsOf(operation, value), told).not.toEqual([])
    }
    expect(problemsOf(operation, 'good-name.1')).toEqual([])
  }
  for (const path of ['.', '..', 'a/b', '../a', 'a\\b']) {
    const problems = problemsOf(['createSession', 'id'], path)
    expect(problems, path).not.toEqual([])
  }
})

test('a session that cannot be has asked no hook, whoever wants it', {
  timeout,
}, async () => {
  const { open, effects } = await hostWorld()
  const { workspace, service } = await open({ countsSessions: true })
  for (const id of bad) {
    const opened = workspace.runtime.openSession({ agent: 'main', id })
    await expect(opened).rejects.toMatchObject({ code: 'invalid-session-id' })
    const created = service.createSession({ id }, context)
    await expect(created).rejects.toMatchObject({ code: 'bad-request' })
  }
  expect(effects()).toEqual([])
  const { id: sessionId } = await service.createSession({ id: 'good' }, context)
  await service.closeSession({ sessionId }, context)
  expect(effects()).toEqual(['session start good', 'session end good'])
})

import { type AgentScope, job as jobKind } from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, type JobContext, type JobDefinition } from './define-job.ts'
import { forEachQueue, type QueueWorld } from './fixtures/queue-worlds.ts'
import { createHookJobs, type HookJobsOptions } from './hook-jobs.ts'
import { createJobWorker } from './job-worker.ts'

const scope: AgentScope = {
  agent: 'clerk',
  origin: 'user',
  coreType: 'steps',
  sessionId: 's-1',
}

function daemon(
  { queue }: Pick<QueueWorld, 'queue'>,
  jobs: readonly JobDefinition[],
  more: Partial<HookJobsOptions> = {},
) {
  const hookJobs = createHookJobs({
    queue,
    jobs,
    engine: {
      perform: () => Promise.reject(new Error('No hook is run here.')),
    },
    tableFor: () => undefined,
    stateAt: () => {
      throw new Error('No hook is run here.')
    },
    ...more,
  })
  return {
    ...hookJobs,
    /** As a hook does that contributes a job. */
    async contribute(value: Parameters<typeof jobKind>[0]) {
      hookJobs.collect({ by: 'mailer', ...jobKind(value) }, scope)
      await hookJobs.drain()
    },
    async workOnce(): Promise<string> {
      const { promise, resolve } = Promise.withResolvers<string>()
      const worker = createJobWorker({
        queue,
        perform: hookJobs.perform,
        concurrency: 1,
        onEnd: (_, settlement) => resolve(settlement),
      })
      const settlement = await promise
      await worker.stop()
      return settlement
    },
  }
}

const only = async ({ queue }: Pick<QueueWorld, 'queue'>) =>
  (await queue.list()).jobs[0]

const letter = { id: 'letter', payload: { to: 'Ada' } }

forEachQueue((open) => {
  test('a contributed job is done by whoever is defined for it', async () => {
    const world = await open()
    const seen: [unknown, JobContext][] = []
    const sends = defineJob('letter', {
      run: (payload, context) => void seen.push([payload, context]),
    })
    const here = daemon(world, [sends])
    await here.contribute(letter)
    expect(await only(world)).toMatchObject({
      kind: 'letter',
      lane: 's-1',
      sessionId: 's-1',
      about: { by: 'mailer' },
    })
    expect(await here.workOnce()).toBe('done')
    expect(seen).toMatchObject([
      [{ to: 'Ada' }, { attempt: 1, fence: 1, sessionId: 's-1' }],
    ])
  })

  test('what is no job is not queued', async () => {
    const world = await open()
    const here = daemon(world, [])
    here.collect({ by: 'mailer', kind: 'audit', value: 'Sent.' }, scope)
    await here.drain()
    expect(await world.queue.counts()).toMatchObject({ queued: 0 })
  })

  test('F172 jobs with the same key are one job', async () => {
    const world = await open()
    const here = daemon(world, [])
    await here.contribute({ ...letter, idempotencyKey: 'welcome' })
    await here.contribute({ ...letter, idempotencyKey: 'welcome' })
    await here.contribute({ ...letter, idempotencyKey: 'farewell' })
    expect(await world.queue.counts()).toMatchObject({ queued: 2 })
  })

  test('a payload that its schema refuses fails, and is not run', async () => {
    const world = await open()
    const ran: string[] = []
    const sends = defineJob('letter', {
      schema: z.object({ to: z.string().min(5) }),
      run: ({ to }) => void ran.push(to),
    })
    const here = daemon(world, [sends])
    await here.contribute(letter)
    expect(await here.workOnce()).toBe('failed')
    await here.contribute({ id: 'letter', payload: { to: 'Augusta' } })
    expect(await here.workOnce()).toBe('done')
    expect(ran).toEqual(['Augusta'])
  })

  test('a job is tried again as its definition says', async () => {
    const world = await open()
    const attempts: number[] = []
    const sends = defineJob('letter', {
      isIdempotent: true,
      retry: { type: 'fixed', delayMs: 0, maxAttempts: 2 },
      run(_, { attempt }) {
        attempts.push(attempt)
        throw new Error('The s3cret box is full.')
      },
    })
    const here = daemon(world, [sends])
    await here.contribute(letter)
    expect(await here.workOnce()).toBe('delayed')
    expect(await here.workOnce()).toBe('dead')
    expect(attempts).toEqual([1, 2])
    expect(await only(world)).toMatchObject({
      reason: 'threw',
      note: 'The [removed] box is full.',
    })
  })

  test('a job whose time is up is aborted, and has timed out', async () => {
    const world = await open()
    const signals: AbortSignal[] = []
    const sends = defineJob('letter', {
      timeoutMs: 1,
      run(_, { signal }) {
        signals.push(signal)
        return Promise.withResolvers<void>().promise
      },
    })
    const here = daemon(world, [sends])
    await here.contribute(letter)
    expect(await here.workOnce()).toBe('failed')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(await only(world)).toMatchObject({ reason: 'timed_out' })
  })

  test('a job that nobody here does is left to others', async () => {
    const world = await open()
    await daemon(world, []).contribute(letter)
    expect(await daemon(world, []).workOnce()).toBe('delayed')
    expect(await only(world)).toMatchObject({ reason: 'no_handler' })
    await world.advance(30_000)
    const sends = defineJob('letter', { run: () => {} })
    expect(await daemon(world, [sends]).workOnce()).toBe('done')
  })

  test('F173 what becomes of a job whose session is deleted is for its definition to say', async () => {
    const world = await open()
    const ran: string[] = []
    const run = (name: string) => () => void ran.push(name)
    const drops = defineJob('drops', { run: run('drops') })
    const stays = defineJob('stays', {
      outlivesSession: true,
      run: run('stays'),
    })
    const hasSession = async () => false
    const here = daemon(world, [drops, stays], { hasSession })
    await here.contribute({ id: 'drops', payload: 1 })
    expect(await here.workOnce()).toBe('cancelled')
    await here.contribute({ id: 'stays', payload: 1 })
    expect(await world.queue.cancel({ sessionId: 's-1' }, 'deleted')).toBe(0)
    expect(await here.workOnce()).toBe('done')
    expect(ran).toEqual(['stays'])
  })

  test('a contributed job that cannot be queued is told of, and nothing breaks', async () => {
    const world = await open()
    const errors: unknown[] = []
    const here = daemon(world, [], { onError: (error) => errors.push(error) })
    await world.database.close()
    await here.contribute(letter)
    expect(errors).toMatchObject([{ code: 'closed' }])
  })
})

test.each<[string, () => JobDefinition]>([
  [
    'has the name that background hooks have',
    () => defineJob('hook', { run: () => {} }),
  ],
  ['has a name with a space', () => defineJob('a letter', { run: () => {} })],
  [
    'is retried, and may not be repeated',
    () =>
      defineJob('letter', {
        retry: { type: 'fixed', delayMs: 0, maxAttempts: 2 },
        run: () => {},
      }),
  ],
])('a definition that %s is refused', (_, define) => {
  expect(define).toThrow(expect.objectContaining({ code: 'invalid-options' }))
})

test('a fake clock is enough to time a job out', async () => {
  const { performDefined } = await import('./perform-defined.ts')
  const clock = createFakeClock()
  const definition = defineJob('letter', {
    timeoutMs: 1_000,
    run: () => Promise.withResolvers<void>().promise,
  })
  const { signal } = new AbortController()
  const outcome = performDefined(definition, {} as never, { signal, clock })
  await clock.advance(1_000)
  expect(await outcome).toMatchObject({ failure: { reason: 'timed_out' } })
  expect(clock.pending).toBe(0)
})

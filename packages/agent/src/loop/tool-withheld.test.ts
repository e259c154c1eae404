import { defineHook, reject, respond } from 'hookline'
import { toolGuard, toolPostCall, toolPreCall } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  type BenchOptions,
  defer,
  endOf,
  openBench,
  recorder,
  resultsOf,
  settle,
  told,
} from './fixtures/tool-bench.ts'

const calls = [{ tool: 'write', id: 'c1', args: { x: 1 } }]

const withhold = defineHook({
  name: 'withhold',
  on: toolPostCall,
  run: () => reject('A secret.'),
})

const breaks = defineHook({
  name: 'breaks',
  on: toolPostCall,
  onFailure: 'required',
  run: () => {
    throw new Error('broken')
  },
})

const deny = defineHook({
  name: 'deny',
  on: toolGuard,
  run: () => reject('No'),
})

const answer = defineHook({
  name: 'answer',
  on: toolPreCall,
  run: () => respond({ content: [], isError: false }),
})

/** A call that is cancelled once its tool has begun. */
async function cancelled(
  options: BenchOptions,
  { whenAborted }: { readonly whenAborted: (stop: () => void) => void },
) {
  const started = defer()
  const { tool } = recorder('write', {
    execute: (_args, { signal }) =>
      new Promise<string>((_, stop) => {
        const end = () => stop(new Error('stopped'))
        signal.addEventListener('abort', () => whenAborted(end))
        started.resolve()
      }),
  })
  const bench = await openBench({ ...options, tools: [tool], graceMs: 500 })
  const turn = bench.session.send('go')
  await started.promise
  turn.cancel()
  await settle()
  await bench.clock.advance(500)
  await turn.result
  await settle()
  return bench
}

async function ended({ hooks = [], ...options }: BenchOptions) {
  const bench = await openBench({
    ...options,
    hooks,
    tools: [recorder('write').tool],
  })
  await bench.session.send('go').result
  await settle()
  return bench
}

const ways = [
  ['executed', 'withheld', ended, []],
  ['synthesized', 'withheld', ended, [answer]],
  ['denied', 'denied', ended, [deny]],
  [
    'cancelled',
    'cancelled',
    (options: BenchOptions) =>
      cancelled(options, { whenAborted: (stop) => stop() }),
    [],
  ],
  [
    'unknown_outcome',
    'unknown_outcome',
    (options: BenchOptions) => cancelled(options, { whenAborted() {} }),
    [],
  ],
] as const

test.each(ways)(
  'of a call that ended as %s, what is withheld is told as %s',
  async (status, error, play, hooks) => {
    const bench = await play({ calls, hooks: [...hooks, withhold] })
    const text = '[withheld: A secret.]'
    expect(endOf(bench, 'c1')).toEqual({ status, error, text })
    expect(told(bench, 'c1')).toBe(text)
    expect(resultsOf(bench.session.messages)).toMatchObject([{ isError: true }])
    const end = bench.journal.find(({ type }) => type === 'call-end')
    expect(end).toMatchObject({ ended: { status, result: { error } } })
    const turn = bench.journal.find(({ type }) => type === 'turn-end')
    expect(turn).toMatchObject({ summary: { tools: [{ status, error }] } })
  },
)

test.each(ways)(
  'F136 of a call that ended as %s, what a hook that must not fail leaves unjudged is told as %s',
  async (status, error, play, hooks) => {
    const bench = await play({ calls, hooks: [...hooks, breaks] })
    expect(endOf(bench, 'c1')).toMatchObject({ status, error })
  },
)

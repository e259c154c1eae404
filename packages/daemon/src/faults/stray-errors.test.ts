import { expect, test, vi } from 'vitest'
import { startProcess } from './fixtures/daemon-process.ts'
import { tell, until } from './fixtures/live-daemon.ts'
import { siteForEach } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const site = siteForEach()

const write = { tool: 'write', args: { path: 'note.txt', content: 'hello' } }

/** A gate in the process of the daemon, which does this and lets the call go on. */
function writeHook(body: string): void {
  site.write(
    'user/leaves.mjs',
    `export function run() { ${body}; return { type: 'proceed' } }\n`,
  )
  site.write(
    'user/hooks.yaml',
    `hooks:
  - { name: leaves, on: tool.guard, match: { tool: write }, handler: { type: module, file: ./leaves.mjs, isolation: process-wide } }
`,
  )
}

/** At a signal the process does this, which is no hook's doing. */
function atSignal(body: string): readonly string[] {
  const file = site.write(
    'at-signal.mjs',
    `process.on('SIGUSR2', () => { ${body} })\n`,
  )
  return ['env', `NODE_OPTIONS=--import=${file}`]
}

const throwsLater = `setTimeout(() => { throw new Error('lost') }, 20)`

test.each([
  [
    'a promise that rejects',
    `setTimeout(() => Promise.reject(new Error('lost')), 20)`,
  ],
  ['a timer that throws', throwsLater],
])(
  'F011 F012 %s, left behind by a hook in its process: the daemon lives, and the record of the run tells of it',
  async (_, body) => {
    writeHook(body)
    const { client, said, ended } = await startProcess(site)
    const { sessionId, results } = await tell(client, [write])
    expect(results).toMatchObject([{ isError: false }])
    const run = await until(async () => {
      const { items } = await client.listRuns({ sessionId, hook: 'leaves' })
      return items.find(({ late }) => late !== undefined)
    })
    expect(run).toMatchObject({
      state: 'completed',
      late: { settled: 'threw' },
    })
    const line = said()
      .split('\n')
      .find((one) => one.includes('hook-left-error'))
    expect(line).toContain('leaves')
    expect(line).toContain(run.id)
    expect(line).toContain('lost')
    // It is as well as before, and ends as it should.
    expect((await tell(client, [write])).status).toBe('succeeded')
    await client.shutdown({})
    expect(await ended).toBe(0)
    expect(site.read('home/running-hooks')).toBe('')
  },
)

test('F012 what goes on throwing while a daemon ends does not change how it ends', async () => {
  writeHook(`setInterval(() => { throw new Error('lost') }, 1)`)
  const { client, said, ended } = await startProcess(site)
  await tell(client, [write])
  await until(() => said().includes('hook-left-error'))
  await client.shutdown({})
  expect(await ended).toBe(0)
  expect(said()).not.toContain('Uncaught')
})

test('F012 an error that was no hook’s ends a daemon as ever', async () => {
  writeHook(throwsLater)
  const before = atSignal(`throw new Error('own')`)
  const { client, child, said, ended } = await startProcess(site, { before })
  await tell(client, [write])
  await until(() => said().includes('hook-left-error'))
  child.kill('SIGUSR2')
  expect(await ended).toBe(1)
  expect(said()).toContain('Error: own')
})

test('F012 what a daemon has lived through is no crash that is held against a hook', async () => {
  writeHook(throwsLater)
  const before = atSignal('process.exit(0)')
  const { client, child, said, ended } = await startProcess(site, { before })
  await tell(client, [write])
  await until(() => said().includes('hook-left-error'))
  // Nobody ends it with the process; it goes when the site does.
  const waits = `while [ -e ${site.base} ]; do sleep 0.05; done`
  site.write(
    'user/hooks.yaml',
    `hooks:
  - { name: slow, on: tool.guard, match: { tool: write }, timeoutMs: 500000, handler: { type: command, shell: '${waits}' } }
`,
  )
  await client.reload({})
  const told = tell(client, [write]).catch(() => {})
  await until(() => site.read('home/running-hooks').includes('slow'))
  child.kill('SIGUSR2')
  expect(await ended).toBe(0)
  await told
  expect(site.read('home/running-hooks')).toBe('')
})

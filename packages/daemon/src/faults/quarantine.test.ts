import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type DaemonProcess, startProcess } from './fixtures/daemon-process.ts'
import { tell, until } from './fixtures/live-daemon.ts'
import { siteForEach } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const site = siteForEach()

async function start(stallMs?: number): Promise<DaemonProcess> {
  return await startProcess(site, stallMs === undefined ? {} : { stallMs })
}

const write = { tool: 'write', args: { path: 'note.txt', content: 'hello' } }

/** Its daemon is gone before anybody is answered. */
async function tellAndDie({ client, ended }: DaemonProcess): Promise<void> {
  await tell(client, [write]).catch(() => {})
  expect(await ended).toBe('SIGKILL')
}

async function listed({ client }: DaemonProcess, name: string) {
  const { items } = await client.listHooks({})
  return items.find((hook) => hook.name === name)
}

/** How often a script was begun. */
const runsOf = (name: string) =>
  site.read(name).split('\n').filter(Boolean).length

test('F206 F023 a hook that ran whenever the daemon died is in quarantine: its gate denies, and it can be let out', async () => {
  // What the kernel does to a process that is over its limit.
  // It waits for a word, but not for longer than there is a test.
  const waits = `until [ -e ${site.base}/go ]; do [ -e ${site.base} ] || exit; sleep 0.05; done`
  const kills = `echo run >> ${site.base}/killer.log; ${waits}; kill -9 $PPID; sleep 5`
  site.write(
    'user/hooks.yaml',
    `hooks:
  - { name: killer, on: tool.guard, match: { tool: write }, timeoutMs: 500000, handler: { type: command, shell: '${kills}' } }
  - { name: watcher, on: tool.post_call, execution: record, handler: { type: command, shell: 'echo seen >> ${site.base}/watcher.log' } }
`,
  )
  for (let death = 1; death <= 3; death++) {
    const daemon = await start()
    expect(await listed(daemon, 'killer')).toMatchObject({ isEnabled: true })
    // It was asked about before it may die.
    const go = site.write('go', '')
    // From the second time on the turn that was cut off goes on by itself.
    if (death === 1) await tellAndDie(daemon)
    else expect(await daemon.ended).toBe('SIGKILL')
    rmSync(go)
    expect(runsOf('killer.log')).toBe(death)
  }

  const daemon = await start()
  const { client } = daemon
  const hook = await listed(daemon, 'killer')
  expect(hook).toMatchObject({ isEnabled: false })
  expect(hook?.disabledBy).toContain('the daemon died 3 times while it ran')
  expect(await listed(daemon, 'watcher')).toMatchObject({ isEnabled: true })

  // The turn that was cut off ends: its call was denied.
  const [session] = (await client.listSessions({})).items
  const sessionId = session?.id ?? ''
  const ended = await until(async () => {
    const [turn] = (await client.listTurns({ sessionId })).items
    return turn?.status === 'running' ? undefined : turn
  })
  expect(ended.status).toBe('succeeded')
  const { messages } = await client.listMessages({ sessionId })
  expect(JSON.stringify(messages)).toContain('is in quarantine')
  // And so is every other.
  const { results } = await tell(client, [write])
  expect(results).toMatchObject([{ isError: true }])
  expect(results[0]?.text).toContain('hookline hooks enable killer')
  expect(site.read('root/note.txt')).toBe('')
  expect(runsOf('killer.log')).toBe(3)

  const { items: checks } = await client.checkHooks()
  const checked = checks.find((one) => one.hook === 'killer')
  expect(checked).toMatchObject({ level: 'error' })
  expect(checked?.checks.map(({ name }) => name)).toContain('quarantine')
  const { items: entries } = await client.listAudit({})
  expect(entries.map(({ kind }) => kind)).toContain('hooks.quarantined')

  // A restart lifts nothing; a person does, when it is mended.
  await client.shutdown({})
  expect(await daemon.ended).toBe(0)
  const again = await start()
  expect(await listed(again, 'killer')).toMatchObject({ isEnabled: false })
  site.write(
    'user/hooks.yaml',
    `hooks:
  - { name: killer, on: tool.guard, match: { tool: write }, handler: { type: command, shell: 'exit 0' } }
`,
  )
  await again.client.reload({})
  await again.client.setHook({ name: 'killer', isEnabled: true })
  expect(await listed(again, 'killer')).toMatchObject({ isEnabled: true })
  const after = await tell(again.client, [write])
  expect(after.results).toMatchObject([{ isError: false }])
  expect(readFileSync(join(site.root, 'note.txt'), 'utf8')).toBe('hello')
})

test('F010 F024 a hook in the process of the daemon that never gives it back is ended with it, and not run again', async () => {
  site.write(
    'user/starving.mjs',
    `import { appendFileSync } from 'node:fs'
export function run() {
  appendFileSync(${JSON.stringify(`${site.base}/starving.log`)}, 'run\\n')
  const again = () => Promise.resolve().then(again)
  return again()
}
`,
  )
  site.write(
    'user/hooks.yaml',
    `hooks:
  - { name: starving, on: tool.guard, match: { tool: write }, handler: { type: module, file: ./starving.mjs, isolation: process-wide } }
`,
  )
  const first = await start(1_000)
  await tellAndDie(first)
  const second = await start(1_000)
  const hook = await listed(second, 'starving')
  expect(hook).toMatchObject({ isEnabled: false })
  expect(hook?.disabledBy).toContain('held up the daemon')
  const { results } = await tell(second.client, [write])
  expect(results).toMatchObject([{ isError: true }])
  expect(runsOf('starving.log')).toBe(1)
  expect(site.read('root/note.txt')).toBe('')
})

test('F013 a hook that ends the process: on a thread it fails and denies; in ours it is a crash that is held against it', async () => {
  const ends = `export function run() { process.exit(0) }\n`
  site.write('user/ends.mjs', ends)
  const hook = (more: string) =>
    site.write(
      'user/hooks.yaml',
      `hooks:
  - { name: ends, on: tool.guard, match: { tool: write }, handler: { type: module, file: ./ends.mjs${more} } }
`,
    )
  hook('')
  const first = await start()
  const { results } = await tell(first.client, [write])
  expect(results).toMatchObject([{ isError: true }])
  expect(await first.client.health()).toMatchObject({ status: 'ok' })
  hook(', isolation: process-wide')
  await first.client.reload({})
  await tell(first.client, [write]).catch(() => {})
  expect(await first.ended).toBe(0)
  expect(site.read('home/running-hooks')).toContain('"ends"')
})

test('F013 a daemon that is ended on purpose holds that against no hook', async () => {
  const hangs = `echo run >> ${site.base}/slow.log; sleep 600`
  site.write(
    'user/hooks.yaml',
    `hooks:
  - { name: slow, on: tool.guard, match: { tool: write }, timeoutMs: 500000, handler: { type: command, shell: '${hangs}' } }
`,
  )
  const { client, ended } = await start()
  const told = tell(client, [write]).catch(() => {})
  await until(() => site.read('home/running-hooks').includes('slow'))
  await client.shutdown({ graceMs: 0 })
  expect(await ended).toBe(0)
  await told
  expect(site.read('home/running-hooks')).toBe('')
})

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type LiveDaemon, startHere, tell } from './fixtures/live-daemon.ts'
import { makeSite, type Site } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Put together here, so that nobody takes this file for one that holds secrets. */
const shaped = ['sk', 'ant', 'api03', 'Zk3vQ9xW'.repeat(6)].join('-')
const named = 'correct-horse-battery-7391'

let site: Site
let live: LiveDaemon
let sessionId: string
const seen: string[] = []

beforeAll(async () => {
  site = makeSite()
  site.write(
    'user/hooks.yaml',
    `hooks:
  - { name: refuses, on: tool.pre_call, match: { tool: shell, args: { command: '*refuse*' } }, visibility: user_visible, handler: { type: command, shell: 'cat; echo; cat /proc/self/environ; echo "refused: ${shaped}" >&2; exit 2' } }
  - { name: fails, on: tool.guard, onFailure: open, visibility: user_visible, handler: { type: command, shell: 'cat >&2; echo "it broke on ${named} ${shaped}" >&2; exit 9' } }
  - { name: watches, on: tool.post_call, execution: record, handler: { type: command, shell: 'cat' } }
`,
  )
  live = await startHere(site, {
    env: { DEPLOY_PASSWORD: named, PATH: process.env['PATH'] },
    values: [
      {
        plugins: { skills: false, memory: false, delegate: false },
        policy: { mode: 'open' },
        store: { content: { runs: 'redacted', journal: 'redacted' } },
      },
    ],
  })
  const { client } = live
  sessionId = (await client.createSession({})).id
  const ending = new AbortController()
  const watched = watch(ending.signal)
  const say = `printf %s '${shaped} ${named}'`
  await tell(
    client,
    [
      { tool: 'shell', args: { command: say } },
      { tool: 'shell', args: { command: `${say}; refuse` } },
      { tool: 'shell', args: { command: `${say} >&2; exit 3` } },
      {
        tool: 'write',
        args: { path: 'key.txt', content: `${shaped} ${named}` },
      },
      { tool: 'read', args: { path: 'key.txt' } },
      { tool: 'read', args: { path: `no/${shaped}/${named}` } },
      { tool: 'nosuch', args: { password: 'hunter2-but-longer' } },
    ],
    sessionId,
  )
  await live.daemon.workspace.runtime.drain()
  ending.abort()
  await watched
})

afterAll(() => site.remove())

async function watch(signal: AbortSignal): Promise<void> {
  const stream = live.client.watchAll({ fromStart: true }, { signal })
  try {
    for await (const item of stream) seen.push(JSON.stringify(item))
  } catch {
    // It was told to end.
  }
}

/** Where any of them is, in a text. */
function secretsIn(text: string): readonly string[] {
  const all = [shaped, named, 'hunter2-but-longer']
  const forms = all.flatMap((one) => [
    one,
    Buffer.from(one).toString('base64').slice(0, 24),
    encodeURIComponent(one),
  ])
  return forms.filter((form) => text.includes(form))
}

test('I6 T55 a planted secret is in no column of the store but the payloads', async () => {
  const database = new DatabaseSync(join(site.home, 'hookline.db'), {
    readOnly: true,
  })
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => String(name))
    const found = new Set<string>()
    let cells = 0
    for (const table of tables) {
      for (const row of database.prepare(`SELECT * FROM "${table}"`).all()) {
        for (const [column, value] of Object.entries(row)) {
          cells++
          if (secretsIn(String(value)).length > 0) found.add(column)
        }
      }
    }
    expect(cells).toBeGreaterThan(200)
    expect([...found]).toEqual(['payload'])
  } finally {
    database.close()
  }
})

test('I6 T55 it is in no file of the daemon, no line of its log, and no figure', async () => {
  const files = readdirSync(site.home, { recursive: true })
    .map(String)
    .map((name) => join(site.home, name))
    .filter(
      (path) => statSync(path).isFile() && !/\.db(-wal|-shm)?$/.test(path),
    )
  expect(files.length).toBeGreaterThan(2)
  const holding = files.filter((path) => {
    return secretsIn(readFileSync(path, 'utf8')).length > 0
  })
  expect(holding).toEqual([])
  expect(live.lines.length).toBeGreaterThan(2)
  expect(
    secretsIn(live.lines.map((line) => JSON.stringify(line)).join()),
  ).toEqual([])
  const metrics = await live.client.metrics()
  expect(metrics).toContain('hookline_hook_runs_total')
  expect(secretsIn(metrics)).toEqual([])
})

test('I6 T55 it is in nothing that is told of runs, traces, calls, approvals and events', async () => {
  const { client } = live
  const runs = await client.listRuns({ sessionId, limit: 200 })
  expect(runs.items.length).toBeGreaterThan(10)
  expect(runs.items.some(({ state }) => state === 'failed')).toBe(true)
  const details = await Promise.all(
    runs.items.map(({ id }) => client.getRun({ runId: id })),
  )
  const { items: turns } = await client.listTurns({ sessionId })
  const turnId = turns[0]?.id ?? ''
  const trace = await client.traceTurn({ sessionId, turnId })
  const why = await client.whyCall({ callId: 'call-2', sessionId })
  const audit = await client.listAudit({})
  const told = { runs, details, turns, trace, why, audit }
  for (const [what, value] of Object.entries(told)) {
    expect([what, secretsIn(JSON.stringify(value))]).toEqual([what, []])
  }
  // What a model and a tool said is told as it was; what hooks said is not.
  const hooks = seen.filter((item) => /"type":"hook/.test(item))
  expect(hooks.length).toBeGreaterThan(0)
  expect(secretsIn(hooks.join())).toEqual([])
})

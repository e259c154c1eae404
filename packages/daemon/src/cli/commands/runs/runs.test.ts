import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { stageWithDaemon } from '../../fixtures/stage.ts'

const config = `
store: { content: { runs: full } }
plugins: { skills: false, memory: false, delegate: false }
hooks:
  - name: no-push
    on: tool.pre_call
    match: { tool: shell, args: { command: '*push*' } }
    handler: { type: command, shell: 'echo "Do not push." >&2; exit 2' }
  - name: broken
    on: tool.guard
    onFailure: open
    handler: { type: command, shell: 'exit 7' }
`

const script = `
- calls: [{ id: pushed, tool: shell, args: { command: git push } }]
- text: First.
- calls: [{ id: written, tool: write, args: { path: a.txt, content: a } }]
- text: Second.
- calls: [{ id: refused, tool: write, args: { path: b.txt, content: b } }]
- text: Third.
- calls: [{ id: last, tool: shell, args: { command: git push again } }]
- text: Fourth.
`

const stage = stageWithDaemon({
  config,
  script,
  async before() {
    await stage.cli('run', 'one')
    await answered('allow')
    await answered('deny', '--reason', 'Not now.')
  },
})
const ask = (...words: string[]) => stage.ask(...words)
const asJson = (...words: string[]) => stage.asJson(...words)

/** A turn that asks for a yes, and what it is told. */
async function answered(...words: string[]) {
  const turn = stage.cli('run', 'go')
  const id = await vi.waitFor(
    async () => {
      const { items } = await asJson('approvals')
      expect(items).toHaveLength(1)
      return items[0].id
    },
    { timeout: 60_000, interval: 100 },
  )
  await ask('approvals', 'answer', id, ...words)
  await turn
}

test('runs are listed, filtered, paged and shown', async () => {
  const { items } = await asJson('runs', '--hook', 'no-push', '--since', '1h')
  expect(items).toHaveLength(1)
  const [{ id }] = items
  const line = (await ask('runs', '--hook', 'no-push')).stdout
  expect(line).toContain('tool.pre_call\tno-push\tcompleted\treject (decided)')
  const failed = await ask('runs', '--state', 'failed')
  expect(failed.stdout).toContain('(let pass)')
  expect((await ask('runs', '--state', 'odd')).code).toBe(2)
  const page = await ask('runs', '--limit', '1')
  const after = /--after (\S+)/.exec(page.stderr)?.[1] ?? ''
  const next = await asJson('runs', '--limit', '1', '--after', after)
  expect(next.items).toHaveLength(1)
  const show = await ask('runs', 'show', id)
  expect(show.stdout).toContain('yes, this ended the dispatch')
  expect(show.stdout).toContain('"command":"git push"')
  expect((await ask('runs', 'show', 'nothing')).code).toBe(5)
})

test('a run and a call say where a browser shows them', async () => {
  const { items } = await asJson('runs', '--hook', 'no-push')
  const { id, sessionId, turnId } = items[0]
  const { inspector } = await asJson('status')
  expect(inspector).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const show = await ask('runs', 'show', id)
  const run = `${inspector}/runs/${encodeURIComponent(id)}`
  expect(show.stderr).toContain(`In a browser: ${run}\n`)
  const why = await ask('runs', 'why', 'pushed')
  const call = `${inspector}/calls/pushed?session=${sessionId}&turn=${turnId}`
  expect(why.stderr).toContain(`In a browser: ${call}\n`)
})

test('why a call was denied is told in one screen: by which hook, and in which words', async () => {
  const { code, stdout, stderr } = await ask('runs', 'why', 'pushed')
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^shell was denied by the hook "no-push"\.\n {2}"Do not push\."\n/,
  )
  expect(stdout).toMatch(
    /1\. no-push at tool\.pre_call: denied it, which decided it, \d+ ms\n/,
  )
  expect(stdout).toContain('{"command":"git push"}')
  expect(stdout.split('\n').length).toBeLessThan(24)
  // All of its words are kept: nothing else is noted.
  expect(stderr).toMatch(/^In a browser: \S+\n$/)
})

test('why a call was allowed is told: grant, verdicts, failures and who agreed', async () => {
  const { stdout } = await ask('runs', 'why', 'written')
  expect(stdout).toMatch(/^write was allowed by user:owner, and ran\./)
  expect(stdout).toContain('wanted somebody asked')
  expect(stdout).toMatch(
    /broken at tool\.guard: .*all went on as if it were not there/,
  )
  expect(stdout).toMatch(/people {5}user:owner agreed, /)
  const why = await asJson('runs', 'why', 'written')
  const { verdicts, approvals, decidedBy, seal, argsHash } = why
  expect(decidedBy).toEqual({ kind: 'person', name: 'user:owner' })
  expect(stdout).toContain(`seal       ${seal}`)
  const args = JSON.stringify({ content: 'a', path: 'a.txt' })
  expect(argsHash).toBe(createHash('sha256').update(args).digest('hex'))
  expect(verdicts.length).toBeGreaterThan(0)
  expect(approvals).toHaveLength(1)
})

test('why a call was denied is told: by which person, and for which reason', async () => {
  const { stdout } = await ask('runs', 'why', 'refused')
  expect(stdout).toMatch(/^write was denied by user:owner\.\n {2}"Not now\."\n/)
  expect(existsSync(join(stage.project.root, 'b.txt'))).toBe(false)
  const none = await ask('runs', 'why', 'nothing')
  expect(none.code).toBe(5)
})

test('a run is replayed with the hook as it is now', async () => {
  const [{ id }] = (await asJson('runs', '--hook', 'no-push')).items
  const same = await ask('runs', 'replay', id)
  expect(same.stdout).toContain('It says the same.')
  stage.project.configure(config.replace('exit 2', 'exit 0'))
  expect((await ask('reload')).code).toBe(0)
  const other = await asJson('runs', 'replay', id)
  expect(other).toMatchObject({ before: 'reject', now: 'proceed' })
  stage.project.configure(config)
  expect((await ask('reload')).code).toBe(0)
})

test('runs are followed as they happen, as text and as JSON lines, also over the death of the daemon', async () => {
  const tail = stage.start('runs', 'tail', '--hook', 'no-push')
  const lines = stage.start('runs', 'tail', '--last', '1', '--json')
  await tail.see('call pushed')
  // By then it follows, and misses nothing that comes.
  await lines.see('"hook":')
  await stage.cli('run', 'four')
  await tail.see('call last')
  await lines.see('"callId":"last"')
  // A script begins anew with each process.
  stage.project.script(
    '- calls: [{ id: later, tool: shell, args: { command: git push later } }]\n- text: Fifth.\n',
  )
  await stage.restart()
  await stage.cli('run', 'five')
  await tail.see('call later')
  await lines.see('"callId":"later"')
  for (const call of ['pushed', 'last', 'later']) {
    expect(tail.text.split(`call ${call}`)).toHaveLength(2)
  }
  // The last one may still be on its way.
  const whole = lines.text.split('\n').slice(0, -1)
  const ids = whole.flatMap((line) => {
    return line.startsWith('{') ? [JSON.parse(line).id] : []
  })
  expect(new Set(ids).size).toBe(ids.length)
  tail.type('\x03')
  expect(await tail.ended).not.toBe(0)
})

test('the audit log is listed and verified, also against ends that were kept elsewhere', async () => {
  const { items } = await asJson('audit')
  expect(items.length).toBeGreaterThan(2)
  const { stdout } = await ask('audit', '--limit', '1')
  expect(stdout.split('\t')[0]).toBe(String(items[0].seq))
  const whole = await ask('audit', 'verify')
  expect(whole).toMatchObject({ code: 0 })
  expect(whole.stdout).toContain('The log is whole.')
  const file = join(stage.project.root, '..', 'anchors.jsonl')
  const { seq, hash } = items[0]
  writeFileSync(file, `${JSON.stringify({ seq, hash })}\n`)
  const kept = await asJson('audit', 'verify', '--anchors', file)
  expect(kept).toMatchObject({ isIntact: true, anchoredUpTo: seq })
  writeFileSync(file, `${JSON.stringify({ seq, hash: '0'.repeat(64) })}\n`)
  const wrong = await ask('audit', 'verify', '--anchors', file)
  expect(wrong.code).toBe(1)
  expect(wrong.stdout).toContain('The log was changed.')
  writeFileSync(file, 'nothing\n')
  expect((await ask('audit', 'verify', '--anchors', file)).code).toBe(2)
})

test('what a daemon has in force is shown; without one it says how to get one', async () => {
  const shown = await ask('config', 'show', '--daemon')
  expect(shown).toMatchObject({ code: 0 })
  expect(shown.stdout).toContain('The configuration is in force.')
  const away = await ask(
    'runs',
    '--home',
    join(stage.project.root, '..', 'nowhere'),
  )
  expect(away.code).toBe(3)
  expect(away.stderr).toContain('hookline up')
  expect(readFileSync(join(stage.project.root, 'a.txt'), 'utf8')).toBe('a')
})

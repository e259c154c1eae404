import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { stageWithDaemon } from '../fixtures/stage.ts'
import { type RunEnd, runCommand } from '../fixtures/terminal.ts'

/** For one turn after the other, as the tests come. */
const script = `
- calls: [{ tool: write, args: { path: one.txt, content: "one \\e[31m" } }]
- text: First.
- calls: [{ tool: write, args: { path: lasting.txt, content: one } }]
- text: Lasts.
- calls: [{ tool: write, args: { path: again.txt, content: two } }]
- text: Again.
- calls: [{ tool: write, args: { path: two.txt, content: two } }]
- text: Second.
- calls: [{ tool: ask_user, args: { questions: [{ id: colour, header: Colour, question: Which?, options: [{ label: red }, { label: blue }] }] } }]
- text: Third.
- { text: Never., afterMs: 600000 }
- text: Fifth.
`

const stage = stageWithDaemon({
  script,
  config:
    'agents:\n  - { name: helper, description: Helps., plugins: { memory: {} } }\n  - name: other\n',
})
const ask = (...words: string[]) => stage.ask(...words)
const asJson = (...words: string[]) => stage.asJson(...words)

/** What a list has one of, once it has one. */
async function waitForOne(...words: string[]) {
  return await vi.waitFor(
    async () => {
      const { items } = await asJson(...words)
      expect(items).toHaveLength(1)
      return items[0]
    },
    { timeout: 60_000, interval: 100 },
  )
}

test('an approval is listed, shown just as it is, and allowed from elsewhere', async () => {
  let told = ''
  const turn = runCommand(stage.project, ['run', 'one'], {
    onErrors: (text) => {
      told = text
    },
  })
  const { id, shown, shownHash } = await waitForOne('approvals')
  // Who is answered before it has heard of the question has nothing to tell.
  await expect.poll(() => told).toContain(`hookline approvals answer ${id}`)
  const list = await ask('approvals')
  expect(list.stdout.split('\t').slice(0, 4)).toEqual([
    id,
    'helper',
    'write',
    'pending',
  ])
  const show = await ask('approvals', 'show', id)
  expect(show.stdout).toContain(`\n${shown}\n`)
  expect(show.stdout).toContain(shownHash)
  expect(show.stdout).not.toContain('\x1b')

  const wrong = await ask(
    'approvals',
    'answer',
    id,
    'allow',
    '--shown-hash',
    'x',
  )
  expect(wrong.code).toBe(4)
  expect(existsSync(join(stage.project.root, 'one.txt'))).toBe(false)
  const edit = await ask('approvals', 'answer', id, 'edit')
  expect(edit.code).toBe(2)

  const answer = await ask('approvals', 'answer', id, 'allow')
  expect(answer.code).toBe(0)
  expect(answer.stderr).toContain(shown)
  const { code, stdout } = await turn
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'First.\n' })
  const late = await ask('approvals', 'answer', id, 'deny')
  expect(late.code).not.toBe(0)
})

test('a yes that lasts is listed, and asked about again once it is taken back', async () => {
  expect((await ask('approvals', 'rules')).stdout).toBe('')
  const lasting = stage.cli('run', 'one')
  const { id } = await waitForOne('approvals')
  const always = ['allow', '--lasts', 'always', '--covers', 'tool']
  await ask('approvals', 'answer', id, ...always)
  expect((await lasting).code).toBe(0)
  const { items } = await asJson('approvals', 'rules')
  expect(items).toMatchObject([{ approvalId: id, covers: 'tool' }])
  const [rule] = items
  const listed = await ask('approvals', 'rules')
  expect(listed.stdout.split('\t').slice(0, 5)).toEqual([
    rule?.id,
    ...['helper', 'write', 'any arguments', 'all sessions'],
  ])
  expect((await ask('approvals', 'revoke', rule?.id ?? '')).code).toBe(0)
  expect((await asJson('approvals', 'rules')).items).toEqual([])
  expect((await ask('approvals', 'revoke', rule?.id ?? '')).code).toBe(5)
  const again = stage.cli('run', 'two')
  const next = await waitForOne('approvals')
  await ask('approvals', 'answer', next.id, 'allow')
  expect((await again).code).toBe(0)
})

test('an approval is answered at a terminal; a waiting turn hears of it', async () => {
  const turn = stage.cli('run', 'two')
  const { id } = await waitForOne('approvals')
  const terminal = stage.open(['approvals', 'answer', id])
  await terminal.see('"content": "two"')
  await terminal.see('Yes, this time')
  terminal.type('\x1b[B\x1b[B\x1b[B')
  await terminal.see(/● No\n/)
  terminal.type('\r')
  await terminal.see('Why not?')
  terminal.type('Never\r')
  expect(await terminal.ended).toBe(0)
  const { stdout, stderr } = await turn
  expect(stdout).toBe('Second.\n')
  expect(stderr).toContain('denied by user:owner: Never')
  expect(existsSync(join(stage.project.root, 'two.txt'))).toBe(false)
})

test('questions are listed, and answered by name', async () => {
  const turn = stage.cli('run', 'three')
  const { callId } = await waitForOne('questions')
  expect((await ask('questions')).stdout).toContain('Which?\tred | blue')
  const wrong = await ask('questions', 'answer', callId, 'shape=round')
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('colour')
  const none = await ask('questions', 'answer', 'nothing', 'a=b')
  expect(none.code).toBe(5)
  const answer = await ask('questions', 'answer', callId, 'colour=blue')
  expect(answer).toMatchObject({ code: 0 })
  expect((await turn).stdout).toBe('Third.\n')
})

test('a turn is cancelled from elsewhere', async () => {
  const turn = stage.cli('run', 'four')
  const isRunning = async () => {
    const { counts } = await asJson('status')
    expect(counts.turns).toBe(1)
  }
  await vi.waitFor(isRunning, { timeout: 60_000, interval: 100 })
  const [session] = (await asJson('sessions', '--limit', '1')).items
  const cancel = await ask(
    'sessions',
    'cancel',
    session.id,
    '--reason',
    'Enough',
  )
  expect(cancel.code).toBe(0)
  const { code, stderr } = await turn
  expect(code).toBe(130)
  expect(stderr).toContain('The turn was cancelled')
})

test('sessions are listed, shown, exported, closed and deleted', async () => {
  const { items, next } = await asJson('sessions', '--limit', '2')
  expect(items).toHaveLength(2)
  const more = await ask('sessions', '--limit', '2')
  expect(more.stderr).toContain(`--after ${next}`)
  const rest = await asJson('sessions', '--after', next)
  const [{ id }] = rest.items
  const show = await ask('sessions', 'show', id, '--messages')
  expect(show.stdout).toContain('succeeded')
  expect(show.stdout).toContain('assistant:')

  const file = join(stage.project.root, 'export.jsonl')
  const exported = await ask('sessions', 'export', id, '-o', file)
  expect(exported.code).toBe(0)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  for (const line of lines) expect(JSON.parse(line)).toBeTypeOf('object')
  const again = await ask('sessions', 'export', id, '-o', file)
  expect(again.code).toBe(1)
  expect(readFileSync(file, 'utf8').trim().split('\n')).toEqual(lines)
  const piped = await ask('sessions', 'export', id)
  expect(piped.stdout.trim().split('\n')).toHaveLength(lines.length)

  expect((await ask('sessions', 'close', id)).code).toBe(0)
  expect((await stage.cli('run', '--session', id, 'hi')).code).not.toBe(0)
  const unsure = await ask('sessions', 'delete', id)
  expect(unsure.code).toBe(2)
  expect((await ask('sessions', 'delete', id, '--yes')).code).toBe(0)
  expect((await ask('sessions', 'show', id)).code).toBe(5)
})

test('agents, skills and memories are listed; what is not there is not found', async () => {
  const agents = await ask('agents')
  expect(agents.stdout).toMatch(/^helper\tscript:\S+\tall\tHelps\.\nother\t/)
  const show = await ask('agents', 'show', 'helper')
  expect(show.stdout).toContain('all there are')
  expect((await ask('skills')).code).toBe(0)
  expect((await asJson('memory')).items).toEqual([])
  expect((await asJson('memory', 'search', 'anything')).items).toEqual([])
  const forget: RunEnd = await ask('memory', 'forget', 'nothing')
  expect(forget.code).toBe(5)
  expect(forget.stderr).toContain('"helper" has no memory "nothing"')
})

test('a log follows all sessions, as text and as JSON lines', async () => {
  const log = stage.open(['logs', '--from-start'])
  const lines = stage.open(['logs', '--json'])
  await log.see('Third.')
  await log.see('The turn was cancelled.')
  // Both follow before there is more to follow.
  const follow = async () => (await asJson('status')).counts.streams
  await expect.poll(follow).toBe(2)
  expect((await stage.cli('run', '--agent', 'other', 'five')).stdout).toBe(
    'Fifth.\n',
  )
  await log.see('Fifth.')
  await lines.see('"type":"text-delta"')
  log.type('\x03')
  expect(await log.ended).not.toBe(0)
})

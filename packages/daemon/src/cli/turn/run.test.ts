import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepBusy } from '../fixtures/keep-busy.ts'
import { stageForEach } from '../fixtures/stage.ts'
import { runCommand } from '../fixtures/terminal.ts'

const stage = stageForEach()
const start = (...words: string[]) => stage.start(...words)

const down = '\x1b[B'

const writes = `
- calls:
    - { tool: write, args: { path: note.txt, content: "hello" } }
- text: It is written.
- text: It was not to be.
`

test('in a pipe, what the agent says is all there is on stdout', async () => {
  const { code, stdout, stderr } = await runCommand(
    stage.project,
    ['run', 'Say:', '-'],
    { input: 'hello' },
  )
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'Hello.\n',
    stderr: '',
  })
})

test('as JSON, every event is a line of its own, and the last one says how it ended', async () => {
  const { code, stdout } = await runCommand(stage.project, [
    'run',
    '--json',
    'hi',
  ])
  expect(code).toBe(0)
  const items = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const texts = items
    .filter(({ event }) => event?.type === 'text-delta')
    .map(({ event }) => event.text)
  expect(texts.join('')).toBe('Hello.')
  expect(items.at(-1)).toMatchObject({ type: 'end', status: 'succeeded' })
})

test('a turn that fails says why, and has its exit code', async () => {
  stage.project.script(
    '- error: { code: invalid_request, message: No such thing }\n',
  )
  const { code, stderr } = await runCommand(stage.project, ['run', 'hi'])
  expect(code).toBe(1)
  expect(stderr).toContain('The turn failed: No such thing')
})

test('a call is shown whole, allowed at the terminal, and made', async () => {
  stage.project.script(writes)
  const terminal = start('run', 'Write a note')
  await terminal.see('asks to use write')
  await terminal.see('"content": "hello"')
  await terminal.see('Yes, this time')
  expect(existsSync(join(stage.project.root, 'note.txt'))).toBe(false)
  terminal.type('\r')
  await terminal.see('allowed by')
  await terminal.see('✓ write')
  await terminal.see('It is written.')
  expect(await terminal.ended).toBe(0)
  expect(readFileSync(join(stage.project.root, 'note.txt'), 'utf8')).toBe(
    'hello',
  )
})

test('a call that is denied at the terminal is not made, and the agent hears why', async () => {
  stage.project.script(writes)
  const terminal = start('run', 'Write a note')
  await terminal.see('Yes, this time')
  terminal.type(`${down}${down}${down}`)
  await terminal.see(/● No\n/)
  terminal.type('\r')
  await terminal.see('Why not?')
  terminal.type('Not on Sundays\r')
  await terminal.see('denied by')
  await terminal.see('✗ write denied: ')
  await terminal.see('It is written.')
  expect(await terminal.ended).toBe(0)
  expect(existsSync(join(stage.project.root, 'note.txt'))).toBe(false)
})

test('a call that is changed at the terminal is asked about again, as it is now', async () => {
  stage.project.script(writes)
  const terminal = start('run', 'Write a note')
  await terminal.see('Yes, this time')
  terminal.type(`${down}${down}${down}${down}`)
  await terminal.see('● Change it first')
  terminal.type('\r')
  await terminal.see('The arguments as they should be')
  terminal.type(`\x15{"path":"other.txt","content":"edited"}\r`)
  await terminal.see('changed by')
  await terminal.see('"content": "edited"')
  await terminal.see('Yes, this time')
  terminal.type('\r')
  await terminal.see('It is written.')
  expect(await terminal.ended).toBe(0)
  expect(readFileSync(join(stage.project.root, 'other.txt'), 'utf8')).toBe(
    'edited',
  )
  expect(existsSync(join(stage.project.root, 'note.txt'))).toBe(false)
})

test('where nobody can be asked, denying is what was asked for', async () => {
  stage.project.script(writes)
  const { code, stdout, stderr } = await runCommand(stage.project, [
    'run',
    '--when-asked',
    'deny',
    'Write a note',
  ])
  expect(code).toBe(0)
  expect(stdout).toBe('It is written.\n')
  expect(stderr).toContain('Nobody is there to be asked.')
  expect(existsSync(join(stage.project.root, 'note.txt'))).toBe(false)
})

test('questions of an agent are asked at the terminal, one by one', async () => {
  stage.project.script(`
- calls:
    - tool: ask_user
      args:
        questions:
          - { id: colour, header: Colour, question: Which one?, options: [{ label: red }, { label: blue }] }
          - { id: name, header: Name, question: What is it called? }
- text: Thank you.
`)
  const terminal = start('run', 'Ask me')
  await terminal.see('Colour: Which one?')
  terminal.type(`${down}`)
  await terminal.see('● blue')
  terminal.type('\r')
  await terminal.see('Name: What is it called?')
  terminal.type('Rex\r')
  await terminal.see('Thank you.')
  expect(await terminal.ended).toBe(0)
})

test('Ctrl-C cancels the turn; the exit code says so', async () => {
  stage.project.script('- text: Never said.\n  afterMs: 600000\n')
  const terminal = start('run', '-v', 'wait')
  await terminal.see('⚑')
  terminal.type('\x03')
  await terminal.see('Cancelling')
  await terminal.see('The turn was cancelled')
  expect(await terminal.ended).toBe(130)
})

test('Ctrl-C twice leaves at once, also while something is asked', async () => {
  keepBusy(stage.project)
  stage.project.script(writes)
  const terminal = start('run', 'Write a note')
  await terminal.see('Yes, this time')
  terminal.type('\x03')
  await terminal.see('Cancelling')
  terminal.type('\x03')
  expect(await terminal.ended).toBe(130)
  expect(existsSync(join(stage.project.root, 'note.txt'))).toBe(false)
})

test('once the turn has ended, Ctrl-C lets the command end well, and twice leaves at once', async () => {
  for (const [times, code] of [
    [1, 0],
    [2, 130],
  ]) {
    const { letGo } = keepBusy(stage.project)
    const terminal = start('run', 'hi')
    await terminal.see('session ')
    terminal.type('\x03')
    await terminal.see('Ending; once more to leave at once.')
    if (times === 2) terminal.type('\x03')
    else letGo()
    expect(await terminal.ended).toBe(code)
    expect(terminal.text).not.toContain('Cancelling')
  }
})

test('what was killed with kill -9 while it asked goes on, and is done once', async () => {
  stage.project.script(writes)
  const first = start('run', 'Write a note')
  await first.see('Yes, this time')
  first.kill('SIGKILL')
  await first.ended

  // A script begins anew with each process; the turn does not.
  stage.project.script('- text: It is written.\n')
  await stage.up()
  const [session] = (await stage.asJson('sessions')).items
  const second = start('sessions', 'resume', session.id)
  await second.see('"content": "hello"')
  await second.see('Yes, this time')
  second.type('\r')
  await second.see('✓ write')
  await second.see('It is written.')
  expect(await second.ended).toBe(0)
  expect(readFileSync(join(stage.project.root, 'note.txt'), 'utf8')).toBe(
    'hello',
  )
})

test('what waits for an answer already is asked by whoever comes next', async () => {
  stage.project.script(writes)
  await stage.up()
  const first = start('run', 'Write a note')
  await first.see('Yes, this time')
  first.kill('SIGKILL')
  await first.ended

  const [session] = (await stage.asJson('sessions')).items
  const second = start('sessions', 'resume', session.id)
  await second.see('"content": "hello"')
  await second.see('Yes, this time')
  second.type('\r')
  await second.see('It is written.')
  expect(await second.ended).toBe(0)
})

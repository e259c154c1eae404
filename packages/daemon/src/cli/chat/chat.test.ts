import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepBusy } from '../fixtures/keep-busy.ts'
import { stageForEach } from '../fixtures/stage.ts'

const stage = stageForEach()
const start = (...words: string[]) => stage.start(...words)

const up = '\x1b[A'
const down = '\x1b[B'

test('people talk, look things up, and leave; the session is kept', async () => {
  stage.project.script('- text: First answer.\n- text: Second answer.\n')
  const chat = start('chat')
  const id = await chat.see(/session (\S+)/)
  await chat.see('› ')
  chat.type('hello\r')
  await chat.see('First answer.\n')
  await chat.see('› ')
  // What was said last comes back.
  chat.type(up)
  await chat.see('hello')
  chat.type('\r')
  await chat.see('Second answer.\n')
  chat.type('/help\r')
  await chat.see('/compact')
  chat.type('/nonsense\r')
  await chat.see('/nonsense means nothing here')
  chat.type('/session\r')
  await chat.see('idle, 2 turns')
  chat.type('/exit\r')
  await chat.see(`Go on with: hookline chat --session ${id}`)
  expect(await chat.ended).toBe(0)

  stage.project.script('- text: Third answer.\n')
  const again = start('chat', '--session', id)
  await again.see('› ')
  again.type(up)
  await again.see('hello')
  again.type('\r')
  await again.see('Third answer.\n')
  again.type('\x04')
  expect(await again.ended).toBe(0)
})

test('a paste of several lines, and lines that end in a backslash, are one message', async () => {
  stage.project.script('- text: One.\n- text: Two.\n')
  const chat = start('chat')
  const id = await chat.see(/session (\S+)/)
  await chat.see('› ')
  chat.type('\x1b[200~line 1\rline 2\rline 3\x1b[201~')
  await chat.see('line 3')
  chat.type('\r')
  await chat.see('One.\n')
  await chat.see('› ')
  chat.type('first\\\r')
  chat.type('second\r')
  await chat.see('Two.\n')
  chat.type('/exit\r')
  expect(await chat.ended).toBe(0)
  await stage.up()
  const { messages } = await stage.asJson('sessions', 'show', id, '--messages')
  const said = JSON.stringify(messages)
  expect(said).toContain('"line 1\\nline 2\\nline 3"')
  expect(said).toContain('"first\\nsecond"')
})

test('what is said while a turn runs joins it, and stands below what is told', async () => {
  stage.project.script(`
- calls: [{ tool: shell, args: { command: "while [ ! -e go ]; do sleep 0.1; done" } }]
- text: All done.
`)
  stage.project.configure('policy: { mode: open }\n')
  const chat = start('chat')
  await chat.see('› ')
  chat.type('begin\r')
  await chat.see('→ shell')
  chat.type('and hurry')
  await chat.see('› and hurry')
  chat.type('\r')
  // What is asked after it is answered: by then it is said.
  chat.type('/session\r')
  await chat.see(', running, ')
  stage.project.write('go', '')
  await chat.see('✓ shell')
  await chat.see('» and hurry')
  await chat.see('All done.\n')
  chat.type('/exit\r')
  expect(await chat.ended).toBe(0)
})

test('a call is denied and another allowed in the chat', async () => {
  stage.project.script(`
- calls: [{ tool: write, args: { path: one.txt, content: x } }]
- calls: [{ tool: write, args: { path: two.txt, content: y } }]
- text: Written.
`)
  const chat = start('chat')
  await chat.see('› ')
  chat.type('write\r')
  await chat.see('"path": "one.txt"')
  await chat.see('Yes, this time')
  chat.type(`${down}${down}${down}`)
  await chat.see(/● No\n/)
  chat.type('\r')
  await chat.see('Why not?')
  chat.type('\r')
  await chat.see('denied by')
  await chat.see('"path": "two.txt"')
  await chat.see('Yes, this time')
  chat.type('\r')
  await chat.see('✓ write')
  await chat.see('Written.\n')
  await chat.see('› ')
  chat.type('/exit\r')
  expect(await chat.ended).toBe(0)
  expect(existsSync(join(stage.project.root, 'one.txt'))).toBe(false)
  expect(readFileSync(join(stage.project.root, 'two.txt'), 'utf8')).toBe('y')
})

test('Ctrl-C cancels what runs and the chat goes on; twice it leaves', async () => {
  stage.project.script(`
- { text: Never said., afterMs: 600000 }
- text: Here again.
- { text: Never said., afterMs: 600000 }
`)
  const chat = start('chat', '-v')
  await chat.see('› ')
  chat.type('wait\r')
  await chat.see('⚑')
  chat.type('\x03')
  await chat.see('Cancelling')
  await chat.see('The turn was cancelled')
  await chat.see('› ')
  chat.type('again\r')
  await chat.see('Here again.\n')
  await chat.see('› ')
  chat.type('wait\r')
  await chat.see('⚑')
  chat.type('\x03')
  chat.type('\x03')
  await chat.see('Go on with:')
  expect(await chat.ended).toBe(130)
})

test('with nothing under way, Ctrl-C drops what is typed, then warns, then leaves', async () => {
  const chat = start('chat')
  await chat.see('› ')
  chat.type('half a thou')
  await chat.see('half a thou')
  chat.type('\x03')
  chat.type('\x03')
  await chat.see('Once more, or /exit, to leave.')
  chat.type('\x03')
  expect(await chat.ended).toBe(130)
})

test('while a chat ends, Ctrl-C lets it end well, and twice leaves at once', async () => {
  for (const [times, code] of [
    [1, 0],
    [2, 130],
  ]) {
    const { letGo } = keepBusy(stage.project)
    const chat = start('chat')
    await chat.see('› ')
    chat.type('hello\r')
    await chat.see('Hello.\n')
    await chat.see('› ')
    chat.type('/exit\r')
    await chat.see('Go on with:')
    chat.type('\x03')
    await chat.see('Ending; once more to leave at once.')
    if (times === 2) chat.type('\x03')
    else letGo()
    expect(await chat.ended).toBe(code)
  }
})

test('a turn that was killed with kill -9 goes on where it was', async () => {
  stage.project.script(`
- calls: [{ tool: write, args: { path: one.txt, content: x } }]
`)
  const chat = start('chat')
  const id = await chat.see(/session (\S+)/)
  await chat.see('› ')
  chat.type('write\r')
  await chat.see('Yes, this time')
  chat.kill('SIGKILL')
  await chat.ended
  stage.project.script('- text: Written after all.\n')
  const again = start('chat', '--session', id)
  await again.see('Yes, this time')
  again.type('\r')
  await again.see('✓ write')
  await again.see('Written after all.\n')
  again.type('/exit\r')
  expect(await again.ended).toBe(0)
  expect(readFileSync(join(stage.project.root, 'one.txt'), 'utf8')).toBe('x')
})

test('without a terminal there is no chat', async () => {
  const { code, stderr } = await stage.cli('chat')
  expect(code).toBe(2)
  expect(stderr).toContain('hookline run')
})

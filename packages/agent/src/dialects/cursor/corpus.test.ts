import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsOf, corpusOf } from '../fixtures/corpus-cases.ts'
import { cursor } from './cursor.ts'

const open = corpusOf(cursor, import.meta.dirname)
const hooks = '.cursor/hooks.json'

test('commands are denied, asked about, and denied where the hook fails', async () => {
  const stage = await open('shell-gate', hooks, {
    script: callsOf(
      ['shell', { command: 'git reset --hard' }],
      ['shell', { command: 'git status' }],
      ['shell', { command: 'curl https://evil.example/x' }],
      ['shell', { command: 'wget somewhere' }],
      ['shell', { command: 'ls' }],
    ),
    results: { shell: 'a.txt' },
  })
  await stage.say('Go.')
  const told = stage.told()
  expect(told).toContain('Use git stash.')
  expect(told).toContain('A person would have to agree')
  expect(told).toContain('evil.example is not on the list.')
  expect(stage.calls).toEqual([['shell', { command: 'ls' }]])
  const audited = JSON.parse(stage.read('.cursor/audit.log'))
  expect(audited).toMatchObject({ command: 'ls', output: 'a.txt' })
})

test('a file is judged by its name and by its content', async () => {
  const stage = await open('secret-files', hooks, {
    script: callsOf(
      ['read', { path: '.env' }],
      ['read', { path: 'token.txt' }],
      ['read', { path: 'plain.txt' }],
    ),
  })
  writeFileSync(join(stage.folder, 'token.txt'), `ghp_${'a'.repeat(30)}`)
  writeFileSync(join(stage.folder, 'plain.txt'), 'nothing')
  await stage.say('Read them.')
  expect(stage.calls).toEqual([['read', { path: 'plain.txt' }]])
  expect(stage.told()).toContain('.env holds secrets')
  const refused = await stage.say('x'.repeat(2_001))
  expect(refused.status).toBe('rejected')
})

test('edits are told, the end is followed up, replies are kept', async () => {
  const stage = await open('format-and-continue', hooks, {
    script: [
      {
        calls: [
          {
            tool: 'edit',
            args: { path: 'src/a.ts', oldText: 'a', newText: 'b' },
          },
        ],
      },
      { text: 'Edited.' },
      { text: 'Tested.' },
    ],
  })
  const { reply } = await stage.say('Edit it.')
  expect(JSON.stringify(reply)).toContain('Tested.')
  expect(stage.read('.cursor/formatted.txt')).toBe('a.ts\n')
  expect(JSON.stringify(stage.model.requests)).toContain(
    'Now run the test suite.',
  )
  const kept = stage.read('.cursor/responses.jsonl').trim().split('\n')
  expect(kept.map((line) => JSON.parse(line).text)).toEqual([
    'Edited.',
    'Tested.',
  ])
  expect(stage.file.findings).toMatchObject([{ code: 'never-fires' }])
})

test('variables of the session reach later hooks, and MCP results are changed', async () => {
  const stage = await open('session-setup', hooks, {
    script: callsOf(
      ['shell', { command: 'whoami' }],
      ['mcp__github__create_issue', { title: 'spam' }],
      ['mcp__github__create_issue', { title: 'Bug' }],
    ),
  })
  await stage.say('File it.')
  expect(stage.calls).toEqual([
    ['shell', { command: 'echo team blue' }],
    ['mcp__github__create_issue', { title: 'Bug' }],
  ])
  expect(stage.told()).toContain('No spam.')
  expect(stage.told()).toContain('{\\"id\\":7}')
  const said = JSON.stringify(stage.model.requests.at(-1))
  expect(said).toContain('You work for the blue team.')
  expect(said).toContain('The issue has the number 7.')
})

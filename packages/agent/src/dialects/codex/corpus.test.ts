import { expect, test } from 'vitest'
import { callsOf, corpusOf } from '../fixtures/corpus-cases.ts'
import { codex } from './codex.ts'

const open = corpusOf(codex, import.meta.dirname)
const json = '.codex/hooks.json'

test('a python guard denies a forced push and makes a push a dry run', async () => {
  const stage = await open('git-guard', json, {
    script: callsOf(
      ['shell', { command: 'git push --force' }],
      ['shell', { command: 'git push' }],
      ['shell', { command: 'ls' }],
    ),
  })
  await stage.say('Push it.')
  expect(stage.told()).toContain('Force pushes are not allowed.')
  expect(stage.calls).toEqual([
    ['shell', { command: 'git push --dry-run' }],
    ['shell', { command: 'ls' }],
  ])
  expect(stage.file.findings).toEqual([])
})

test('a hook answers for the user where policy asks', async () => {
  const stage = await open('git-guard', json, {
    script: callsOf(
      ['shell', { command: 'ls' }],
      ['shell', { command: 'curl example.com' }],
      ['shell', { command: 'make' }],
    ),
    asks: true,
    parts: { mayApprove: () => true },
  })
  await stage.say('Look around.')
  expect(stage.calls).toEqual([['shell', { command: 'ls' }]])
  expect(stage.told()).toContain('No network in this repository.')
  expect(stage.told()).toContain('A person would have to agree')
})

test('edits are patches to scripts, before and after', async () => {
  const edit = (path: string, newText: string) =>
    ['edit', { path, oldText: 'x', newText }] as const
  const stage = await open('patch-review', json, {
    script: callsOf(
      edit('package-lock.json', 'y'),
      edit('src/a.ts', 'console.log(1)'),
      edit('src/b.ts', 'y'),
    ),
  })
  await stage.say('Edit them.')
  expect(stage.calls.map(([, { path }]) => path)).toEqual([
    'src/a.ts',
    'src/b.ts',
  ])
  expect(stage.told()).toContain('package-lock.json is generated.')
  const said = JSON.stringify(stage.model.requests.at(-1))
  expect(said).toContain('Remove the console.log you just added.')
  expect(stage.read('.codex/patches.log')).toContain('*** Update File: ')
})

test('a config.toml has context, a guard of prompts, and a stop hook', async () => {
  const stage = await open('session-rules', '.codex/config.toml', {
    script: [{ text: 'Done.' }, { text: 'Yes, the tests pass.' }],
  })
  const refused = await stage.say('Use sk-abcdefghijkl for it.')
  expect(refused.status).toBe('rejected')
  const { status } = await stage.say('Fix the parser.')
  expect(status).toBe('succeeded')
  const [first, second] = stage.model.requests
  expect(JSON.stringify(first)).toContain('Always run the tests with')
  expect(JSON.stringify(first)).toContain('Ticket: none')
  expect(JSON.stringify(second)).toContain('Run the tests and say whether')
  expect(stage.model.requests).toHaveLength(2)
  expect(stage.file.hooks.map(({ place }) => place.line)).toEqual([9, 15, 22])
})

test('what a file for Claude Code has left over is found, and asks all the same', async () => {
  const stage = await open('claude-leftovers', json, {
    script: callsOf(['shell', { command: 'rm -r build' }]),
  })
  await stage.say('Clean up.')
  expect(stage.calls).toEqual([])
  expect(stage.told()).toContain('A person would have to agree')
  const codes = stage.file.findings.map(({ code }) => code)
  expect(codes.toSorted()).toEqual([
    'matcher-ignored',
    'no-handler',
    'timeout-unit',
    'unknown-event',
    'unknown-key',
  ])
})

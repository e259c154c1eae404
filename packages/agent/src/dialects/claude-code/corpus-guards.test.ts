import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { createMemoryApprovals } from '../../index.ts'
import type { Dialect } from '../dialect.ts'
import { callsOf, corpusOf } from '../fixtures/corpus-cases.ts'
import { claudeCode } from './claude-code.ts'

const open = corpusOf(claudeCode, import.meta.dirname)
const settings = '.claude/settings.json'
// Scripts in TypeScript need the Node that we run on, not the machine's.
const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: '/' }
const shell = (command: string) => ['shell', { command }] as const

test('block-dangerous: a bash guard stops rm -rf and lets the rest run', async () => {
  const stage = await open('block-dangerous', settings, {
    script: callsOf(shell('rm -rf build'), shell('rm build/a.o'), shell('ls')),
  })
  await stage.say('Clean up.')
  expect(stage.calls).toEqual([shell('rm build/a.o'), shell('ls')])
  expect(stage.told()).toContain('BLOCKED: command matches dangerous pattern')
})

test('protect-files: python guards see absolute paths and keep files as they are', async () => {
  const stage = await open('protect-files', settings, {
    script: callsOf(
      ['edit', { path: 'package-lock.json', oldText: 'a', newText: 'b' }],
      ['write', { path: 'secrets/key.pem', content: 'x' }],
      ['write', { path: 'src/a.ts', content: 'x' }],
      ['read', { path: '.env' }],
      ['read', { path: 'src/a.ts' }],
    ),
  })
  await stage.say('Change them.')
  expect(stage.calls).toEqual([
    ['write', { path: 'src/a.ts', content: 'x' }],
    ['read', { path: 'src/a.ts' }],
  ])
  expect(stage.told()).toContain('package-lock.json is protected.')
  expect(stage.told()).toContain('/secrets are protected.')
  expect(stage.told()).toContain('gives no reason')
})

test('commit-message: the condition keeps the script away from other commands', async () => {
  const stage = await open('commit-message', settings, {
    script: callsOf(
      shell('git status'),
      shell('git commit -m "stuff"'),
      shell('cd src && git commit -m "fix(parser): keep blanks"'),
    ),
  })
  await stage.say('Commit.')
  expect(stage.calls).toEqual([
    shell('git status'),
    shell('cd src && git commit -m "fix(parser): keep blanks"'),
  ])
  expect(stage.told()).toContain('Use a conventional commit')
  expect(stage.read('.claude/checked.log').trim().split('\n')).toHaveLength(2)
})

test('mcp-guard: a pattern fits the tools of a server, its bare name none', async () => {
  const tool = 'mcp__github__create_issue'
  const stage = await open('mcp-guard', settings, {
    script: callsOf(
      [tool, { repository: 'acme/other' }],
      [tool, { repository: 'acme/website' }],
    ),
  })
  await stage.say('Report it.')
  expect(stage.calls).toEqual([[tool, { repository: 'acme/website' }]])
  expect(stage.told()).toContain('Issues only in acme/website.')
  expect(stage.told()).not.toContain('never runs')
})

test('typescript-guard: allow lifts what policy asks, and new arguments run', async () => {
  const stage = await open('typescript-guard', settings, {
    script: callsOf(
      shell('git status'),
      shell('npm install left-pad'),
      shell('make'),
    ),
    asks: true,
    parts: { env },
  })
  await stage.say('Look around.')
  expect(stage.calls).toEqual([shell('git status'), shell('npm ci')])
  expect(stage.told()).toContain('A person would have to agree')
})

test('typescript-guard: an ask is put to a person with the new arguments', async () => {
  const asked: unknown[] = []
  const approvals = createMemoryApprovals({
    onQuestion({ question: { id, call, questions } }) {
      asked.push(call.args['command'], ...questions.map((one) => one.question))
      approvals.answer(id, { type: 'allow' }, 'ann')
    },
  })
  const stage = await open('typescript-guard', settings, {
    script: callsOf(shell('npm publish')),
    parts: { env },
    stage: { approvals },
  })
  await stage.say('Publish.')
  expect(asked).toEqual(['npm publish --dry-run', 'Publishing needs a person.'])
  expect(stage.calls).toEqual([shell('npm publish --dry-run')])
})

test('typescript-guard: a permission request is answered for the user', async () => {
  const stage = await open('typescript-guard', settings, {
    script: callsOf(
      ['write', { path: 'notes.md', content: 'x' }],
      ['write', { path: 'a.ts', content: 'x' }],
    ),
    asks: true,
  })
  await stage.say('Write.')
  expect(stage.calls).toEqual([['write', { path: 'notes.md', content: 'x' }]])
  expect(stage.told()).toContain('Only documents.')
})

test('typescript-guard: nobody answers for the user in strict mode', async () => {
  const stage = await open('typescript-guard', settings, {
    script: callsOf(shell('git status'), [
      'write',
      { path: 'notes.md', content: 'x' },
    ]),
    asks: true,
    parts: { env, isStrict: true },
  })
  await stage.say('Look around.')
  expect(stage.calls).toEqual([])
})

const asPlugin: Dialect = {
  ...claudeCode,
  readFile: (text, source) =>
    claudeCode.readFile(text, {
      ...source,
      layer: 'plugin',
      plugin: { name: 'security', root: dirname(dirname(source.file)) },
    }),
}

test('plugin-security: a plugin finds its own folder, by argument and by variable', async () => {
  const openPlugin = corpusOf(asPlugin, import.meta.dirname)
  const stage = await openPlugin('plugin-security', 'plugin/hooks/hooks.json', {
    script: callsOf(
      ['write', { path: 'a.js', content: 'eval(x)' }],
      ['write', { path: 'b.js', content: 'f(x)' }],
    ),
  })
  await stage.say('Write.')
  expect(stage.file.findings).toEqual([])
  expect(stage.calls).toEqual([['write', { path: 'b.js', content: 'f(x)' }]])
  expect(stage.told()).toContain('Security reminder: eval() runs')
  expect(JSON.stringify(stage.model.requests[0])).toContain('Never use eval.')
  const seen = stage.read('.data/plugins/security/seen.log')
  expect(seen.trim().split('\n')).toEqual([stage.session.id, stage.session.id])
})

test('mistakes: what the author meant does not happen, and is found', async () => {
  const stage = await open('mistakes', settings, {
    script: callsOf(shell('rm -rf /')),
  })
  await stage.say('deploy')
  expect(stage.calls).toEqual([shell('rm -rf /')])
  const codes = stage.file.findings.map(({ code }) => code)
  expect(codes).toEqual(['no-handler', 'unknown-event', 'never-fires'])
})

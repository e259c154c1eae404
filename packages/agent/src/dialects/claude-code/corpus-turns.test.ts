import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentConfig } from 'hookline/lifecycle'
import { expect, test, vi } from 'vitest'
import { tool } from '../../runtime/fixtures/tools.ts'
import { scriptedModel } from '../../testing/index.ts'
import { callsOf, corpusOf, noticesOf } from '../fixtures/corpus-cases.ts'
import { claudeCode } from './claude-code.ts'
import { envFileOf } from './environment.ts'

const open = corpusOf(claudeCode, import.meta.dirname)
const settings = '.claude/settings.json'
const shell = (command: string) => ['shell', { command }] as const
const requestsOf = ({ model }: { model: { requests: readonly unknown[] } }) =>
  model.requests.map((request) => JSON.stringify(request))

test('format-on-edit: a formatter changes the file, a checker tells the model', async () => {
  const stage = await open('format-on-edit', settings, {
    script: callsOf(
      ['edit', { path: 'notes.txt', oldText: 'a', newText: 'b' }],
      ['write', { path: 'broken.json', content: '{' }],
      ['read', { path: 'broken.json' }],
    ),
  })
  writeFileSync(join(stage.folder, 'broken.json'), '{ "a": \n')
  await stage.say('Edit them.')
  expect(stage.read('notes.txt')).toBe('one\ntwo\n')
  const [, afterText, afterJson, afterRead] = requestsOf(stage)
  expect(afterText).not.toContain('not valid JSON')
  expect(afterJson).toContain('broken.json is not valid JSON any more')
  expect(afterJson).toContain('write is done')
  const count = (text = '') => text.split('not valid JSON any more').length
  expect(count(afterRead)).toBe(count(afterJson))
})

test('notify: a question to a person is told, other moments are not', async () => {
  const stage = await open('notify', settings, {
    script: callsOf(shell('make')),
    asks: true,
  })
  await stage.say('Build.')
  expect(stage.read('.claude/notifications.log').trim().split('\n')).toEqual([
    '[permission_prompt] The agent needs your permission to use Bash',
    'finished',
  ])
})

test('session-context: the model knows the branch, after a compaction the rules', async () => {
  const text = 'The parser is done, and it was a long way to it. '.repeat(20)
  const stage = await open('session-context', settings, {
    script: [
      { text },
      { text },
      { text },
      { text: 'Summary.' },
      { text: 'Yes.' },
    ],
    stage: { config: { compaction: { keepMessages: 1 } } },
  })
  await stage.say('Begin.')
  const [first = ''] = requestsOf(stage)
  expect(first).toContain('Branch: ')
  expect(first).toContain('Open items in TODO.md: 2')
  expect(first).toContain('domain=\\"claude-code\\"')
  expect(first).not.toContain('use pnpm')
  await stage.say('Go on.')
  await stage.say('More.')
  expect(requestsOf(stage).at(-1)).toContain('Branch: ')
  await stage.session.compact()
  await stage.say('Still there?')
  expect(requestsOf(stage).at(-1)).toContain('use pnpm, not npm')
  const backup = stage.read('.claude/backup-manual.jsonl').trim().split('\n')
  const roles = backup.map((line) => JSON.parse(line).message.role)
  expect(roles).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
    'assistant',
  ])
  const id = stage.session.id
  expect(stage.read(envFileOf('.data', id))).toBe(
    'export NODE_ENV=development\n',
  )
  await stage.session.close()
  expect(stage.read('.claude/ended')).toBe('other\n')
})

test('prompt-guard: a prompt with a key never enters the conversation', async () => {
  const stage = await open('prompt-guard', settings, {
    script: [{ text: 'First.' }, { text: 'Second.' }],
  })
  const refused = await stage.say('Use api_key=abc123 for it.')
  expect(refused.status).toBe('rejected')
  expect(refused.reason).toContain(
    'The prompt was not sent: it contains a credential.',
  )
  expect(stage.model.requests).toHaveLength(0)
  await stage.say('Please deploy it.')
  const [request = ''] = requestsOf(stage)
  expect(request).toContain('Deployments need the checklist')
  expect(request).toContain('Current time zone: UTC')
  expect(request).not.toContain('abc123')
})

test('stop-tests: red tests keep the turn going once, then the script lets go', async () => {
  const stage = await open('stop-tests', settings, {
    script: [{ text: 'Done.' }, { text: 'Really done.' }],
  })
  const { text } = await stage.say('Fix the parser.')
  expect(text).toBe('Really done.')
  expect(requestsOf(stage)[1]).toContain(
    '1 of 3 tests failed: parser keeps blanks',
  )
  expect(stage.model.requests).toHaveLength(2)
  expect(noticesOf(stage)).toContain('not looping')
})

test('redact-output: what the model sees has no token, and the user is told', async () => {
  const stage = await open('redact-output', settings, {
    script: callsOf(shell('env'), ['write', { path: 'a', content: 'b' }]),
    results: {
      shell: 'GITHUB=ghp_0123456789abcdef',
      write: 'ghp_0123456789abcdef',
    },
  })
  await stage.say('Show it.')
  expect(requestsOf(stage)[1]).toContain('GITHUB=[token]')
  expect(requestsOf(stage)[1]).not.toContain('ghp_')
  expect(requestsOf(stage)[2]).toContain('ghp_')
  expect(noticesOf(stage)).toContain('A token was taken out of the output.')
})

test('redact-output: a failed command gets a hint, another one none', async () => {
  const failing = await open('redact-output', settings, {
    script: callsOf(shell('pnpm i')),
    results: { shell: 'error: pnpm: command not found' },
  })
  await failing.say('Install.')
  expect(requestsOf(failing)[1]).toContain('Install it with mise first.')
  const other = await open('redact-output', settings, {
    script: callsOf(shell('pnpm i')),
    results: { shell: 'error: no network' },
  })
  await other.say('Install.')
  expect(requestsOf(other)[1]).not.toContain('mise')
})

test('async-log: nobody waits for a log; what it says comes with the next turn', async () => {
  const stage = await open('async-log', settings, {
    script: [
      { calls: [{ tool: 'shell', args: { command: 'make' } }] },
      { text: 'Built.' },
      { text: 'Green.' },
    ],
  })
  await stage.say('Build.')
  await vi.waitFor(
    () => expect(stage.read('.claude/tools.jsonl')).toContain('"tool":"Bash"'),
    { timeout: 30_000, interval: 20 },
  )
  await vi.waitFor(
    async () => {
      expect(requestsOf(stage).join()).not.toContain('background is green')
      await stage.say('And now?')
      expect(requestsOf(stage).at(-1)).toContain('background is green')
    },
    { timeout: 30_000, interval: 20 },
  )
})

test('subagents: context, a second round, and whose hook it is', async () => {
  const reviewer: AgentConfig = {
    name: 'reviewer',
    model: 'reviewer',
    instructions: '',
  }
  const child = scriptedModel([
    { calls: [{ tool: 'shell', args: { command: 'ls' } }] },
    { text: 'Fine.' },
    { text: 'Fine.\nFiles: a.ts' },
  ])
  const ran: string[] = []
  const tools = [
    tool('delegate', async ({ task }, context) => {
      const { reply } = await context.delegate({
        agent: reviewer,
        task: String(task),
      })
      return JSON.stringify(reply)
    }),
    tool('shell', () => {
      ran.push('shell')
      return 'a.ts'
    }),
  ]
  const stage = await open('subagents', settings, {
    script: callsOf(['delegate', { task: 'Review it.' }], shell('ls')),
    stage: { tools, models: { reviewer: child } },
  })
  await stage.say('Have it reviewed.')
  const asked = requestsOf({ model: child })
  expect(asked[0]).toContain('Review only files that changed.')
  expect(asked[2]).toContain("End with a line 'Files:'")
  expect(stage.told()).toContain('Files: a.ts')
  expect(stage.read('.claude/tasks.log')).toBe('Agent Review it.\n')
  const { id } = stage.session
  expect(stage.read('.claude/agents.log').trim().split('\n')).toEqual([
    JSON.stringify(['reviewer', 'string', id]),
    JSON.stringify([null, 'null', id]),
  ])
  // A sub-agent that stops has an event of its own.
  expect(stage.read('.claude/stops.log')).toBe('Done.\n')
})

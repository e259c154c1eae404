import { expect, test } from 'vitest'
import { callsOf, corpusOf } from '../fixtures/corpus-cases.ts'
import { copilot } from './copilot.ts'

const open = corpusOf(copilot, import.meta.dirname)

test('a policy denies, asks and changes paths, with lines of progress in between', async () => {
  const stage = await open('tool-policy', '.github/hooks/policy.json', {
    script: callsOf(
      ['shell', { command: 'sudo ls' }],
      ['shell', { command: 'npm publish' }],
      ['write', { path: 'dist/a.js', text: 'x' }],
      ['write', { path: 'a.js', text: 'x' }],
    ),
  })
  await stage.say('Do it.')
  const told = stage.told()
  expect(told).toContain('Blocked by enforce policy')
  expect(told).toContain('A person would have to agree')
  expect(told).toContain('dist/ is generated')
  expect(stage.calls).toEqual([['write', { path: 'src/a.js', text: 'x' }]])
})

test('a trail of everything that happens, in the words of Copilot', async () => {
  const stage = await open('audit-trail', '.github/hooks/audit.json', {
    script: callsOf(['shell', { command: 'ls' }], ['write', { path: 'a' }]),
    results: { shell: 'error: no such folder' },
  })
  await stage.say('Look.')
  expect(stage.told()).toContain('no such folder')
  const said = JSON.stringify(stage.model.requests.at(-1))
  expect(said).toContain('Look at the log first.')
  await stage.session.close()
  const trail = stage.read('.github/hooks/audit.jsonl')
  const lines = trail.split('\n').filter((line) => line !== '')
  const begin = JSON.parse(lines[0] ?? '')
  expect(begin).toMatchObject({ source: 'new', cwd: stage.folder })
  const rest = lines.slice(1).map((line) => {
    const [event = '', ...parts] = line.split(' ')
    return { event, ...JSON.parse(parts.join(' ')) }
  })
  expect(rest).toMatchObject([
    { event: 'userPromptSubmitted', prompt: 'Look.' },
    { event: 'errorOccurred', errorContext: 'tool_execution' },
    { event: 'postToolUseFailure', toolName: 'bash', error: 'no such folder' },
    { event: 'postToolUse', toolName: 'create' },
    { event: 'sessionEnd', reason: 'complete' },
  ])
})

test('under names of Claude Code the tools have its names, and a crash denies', async () => {
  const stage = await open('claude-names', '.github/hooks/hooks.json', {
    script: [
      ...callsOf(
        ['shell', { command: 'deploy prod' }],
        ['write', { path: 'server.pem', text: 'x' }],
        ['read', { path: 'config.ini' }],
      ).slice(0, 3),
      { text: 'Done.' },
      { text: 'The changelog is up to date.' },
    ],
    results: { read: 'password=hunter2' },
  })
  const { reply } = await stage.say('Deploy.')
  const said = JSON.stringify(stage.model.requests.at(-1))
  expect(said).toContain('Not against production.')
  expect(said).toContain('A hook has failed, and so it is blocked')
  expect(said).not.toContain('hunter2')
  expect(said).toContain('A password was removed.')
  expect(said).toContain('Update the changelog.')
  expect(stage.calls.map(([name]) => name)).toEqual(['read'])
  expect(JSON.stringify(reply)).toContain('up to date')
})

test('a prompt is expanded, of two answers to a question the denial holds', async () => {
  const stage = await open('prompt-template', '.github/hooks/prompts.json', {
    script: callsOf(
      ['shell', { command: 'ls' }],
      ['shell', { command: 'rm -r build' }],
    ),
    asks: true,
    parts: { mayApprove: () => true },
  })
  await stage.say('@review')
  const said = JSON.stringify(stage.model.requests[0])
  expect(said).toContain('Review the change for bugs.')
  expect(said).toContain('Be brief.')
  expect(stage.calls).toEqual([['shell', { command: 'ls' }]])
  const codes = stage.file.findings.map(({ code }) => code)
  expect(codes).toEqual(['no-handler', 'timeout-unit', 'no-handler'])
})

test('scripts that parse the arguments get a text, the others an object', async () => {
  const stage = await open('text-arguments', '.github/hooks/hooks.json', {
    script: callsOf(
      ['shell', { command: 'python-says-no' }],
      ['shell', { command: 'node-says-no' }],
      ['shell', { command: 'bash-says-no' }],
      ['shell', { command: 'ls' }],
    ),
  })
  await stage.say('Go.')
  const told = stage.told()
  expect(told).toContain('Python says no.')
  expect(told).toContain('Node says no.')
  expect(told).toContain('Bash says no.')
  expect(stage.calls).toEqual([['shell', { command: 'ls' }]])
})

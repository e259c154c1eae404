import { expect, test } from 'vitest'
import { callsOf, corpusOf, noticesOf } from '../fixtures/corpus-cases.ts'
import { gemini } from './gemini.ts'

const open = corpusOf(gemini, import.meta.dirname)
const settings = '.gemini/settings.json'

test('a node guard denies by code and by document, and runs once although it is there twice', async () => {
  const stage = await open('shell-policy', settings, {
    script: callsOf(
      ['shell', { command: 'rm -rf /' }],
      ['write', { path: 'a.txt', text: 'AKIAABCDEFGHIJKLMNOP' }],
      ['shell', { command: 'ls' }],
      ['read', { path: 'a.txt' }],
    ),
  })
  await stage.say('Do it.')
  expect(stage.calls.map(([name]) => name)).toEqual(['shell', 'read'])
  expect(stage.told()).toContain('Refusing to delete the root of anything.')
  expect(stage.told()).toContain('That file would hold an AWS key.')
  expect(noticesOf(stage)).toContain('A secret was kept out')
  expect(stage.read('.gemini/calls.log').trim().split('\n')).toEqual([
    'run_shell_command',
    'write_file',
    'run_shell_command',
  ])
  const [first] = stage.model.requests
  expect(JSON.stringify(first)).toContain('Last time we fixed the parser in')
})

test('hooks see, change and answer what the model is asked', async () => {
  const stage = await open('model-gateway', settings, {
    script: [{ text: 'Write to eve@example.com then.' }, { text: 'Fine.' }],
  })
  const asked = await stage.say('Mail bob@example.com and only look.')
  expect(JSON.stringify(stage.model.requests[0])).toContain('Mail [email] and')
  expect(stage.model.requests[0]?.tools.map(({ name }) => name)).toEqual([
    'read',
    'glob',
  ])
  expect(JSON.stringify(asked.reply)).toContain('Write to [email] then.')
  const pinged = await stage.say('/ping')
  expect(JSON.stringify(pinged.reply)).toContain('pong')
  expect(stage.model.requests).toHaveLength(1)
})

test('results are hidden, and an answer is asked for again', async () => {
  const stage = await open('output-review', settings, {
    script: [
      { calls: [{ tool: 'read', args: { path: 'id_rsa' } }] },
      { text: 'It is a key.' },
      { text: 'Summary: it is a key.' },
    ],
    results: { read: '-----BEGIN RSA PRIVATE KEY----- abc' },
  })
  const { reply } = await stage.say('What is it?')
  const said = JSON.stringify(stage.model.requests)
  expect(said).not.toContain('PRIVATE KEY----- abc')
  expect(said).toContain('its content was hidden')
  expect(said).toContain('Answer in one sentence.')
  expect(said).toContain('Begin your answer with Summary:')
  expect(JSON.stringify(reply)).toContain('Summary: it is a key.')
})

test('sequential hooks change a call one after the other; a disabled one does not run', async () => {
  const stage = await open('sequential-rewrite', settings, {
    script: callsOf(['shell', { command: 'make', description: 'Builds.' }]),
  })
  await stage.say('Build it.')
  expect(stage.calls).toEqual([
    ['shell', { command: 'timeout 60 nice make', description: 'Builds.' }],
  ])
  const found = stage.file.findings.map(({ code, message }) => [code, message])
  expect(found).toEqual([
    ['timeout-unit', expect.stringContaining('milliseconds')],
    ['unknown-event', expect.stringContaining('"BeforeTool"')],
  ])
})

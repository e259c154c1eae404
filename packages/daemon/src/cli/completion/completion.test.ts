import { spawnSync } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { commandTable } from '../command-table.ts'
import { bashScript } from './bash-script.ts'
import { describeWords, type WordsPlace } from './describe-words.ts'
import { fishScript } from './fish-script.ts'
import { zshScript } from './zsh-script.ts'

let places: readonly WordsPlace[]

beforeAll(async () => {
  places = await describeWords(commandTable)
}, 60_000)

/** What bash offers for the last of some words. */
function complete(...words: string[]): string[] {
  const line = ['hookline', ...words]
  const script = `${bashScript(places)}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hookline; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-c', script, 'bash', ...line],
    { encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  return stdout.split('\n').filter((word) => word !== '')
}

test('bash completes commands, and commands of commands', () => {
  expect(complete('app')).toEqual(['approvals'])
  expect(complete('approvals', 'a')).toEqual(['answer'])
  expect(complete('help', 'doc')).toEqual(['doctor'])
  const all = complete('')
  for (const { name } of commandTable) expect(all).toContain(name)
})

test('bash completes options where they belong, and their values', () => {
  expect(complete('run', '--when')).toEqual(['--when-asked'])
  expect(complete('run', '--when-asked', '')).toEqual(['ask', 'wait', 'deny'])
  expect(complete('approvals', 'answer', 'x', '--lasts', 's')).toEqual([
    'session',
  ])
  expect(complete('approvals', 'answer', 'x', 'al')).toEqual(['allow'])
  expect(complete('completion', 'z')).toEqual(['zsh'])
  expect(complete('run', '--agent', '')).toEqual([])
  expect(complete('--home', '/pro')).toEqual(['/proc'])
  expect(complete('sessions', '--ag')).toEqual(['--agent'])
})

test.each([
  ['zsh', zshScript],
  ['fish', fishScript],
])('%s knows every command and every option', (_, scriptOf) => {
  const script = scriptOf(places)
  for (const { commands, options } of places) {
    for (const { name } of commands) expect(script).toContain(name)
    for (const { names } of options) {
      for (const name of names)
        expect(script).toContain(name.replace(/^-+/, ''))
    }
  }
})

test('no text can break out of its quotes', () => {
  const about = "it's `$(touch x)` \\ : done"
  const nasty: WordsPlace = {
    path: [],
    commands: [{ name: 'a', summary: about }],
    options: [{ names: ['--b'], about, value: ["c'; touch x; '"] }],
    choices: [],
  }
  expect(bashScript([nasty])).toContain(`'c'\\''; touch x; '\\'''`)
  expect(zshScript([nasty])).toContain(`'a:it'\\''s`)
  expect(fishScript([nasty])).toContain("it\\'s `$(touch x)` \\\\ : done")
})

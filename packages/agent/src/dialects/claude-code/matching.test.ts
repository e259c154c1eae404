import { beforeAll, describe, expect, test } from 'vitest'
import {
  growthOf,
  linear as linearGrowth,
} from '../../../../core/fixtures/time-ratio.ts'
import { loadRegexEngine, type RegexEngine } from '../foreign-regex.ts'
import { fits } from '../matcher.ts'
import { matchCases, ruleCases } from './expected/matching.ts'
import { readClaudeMatcher } from './matcher.ts'
import { compileRule } from './permission-rule.ts'
import { readShellCommands } from './shell-commands.ts'
import { namesOf } from './subject.ts'

let regex: RegexEngine
beforeAll(async () => {
  regex = await loadRegexEngine()
})

describe('a matcher', () => {
  test.each(matchCases)('%j and %s: %s', (matcher, value, isFit) => {
    const read = readClaudeMatcher(matcher, 'PreToolUse', regex)
    expect(namesOf(value).some((name) => fits(read, name))).toBe(isFit)
  })

  test('has a narrower idea of names at StopFailure', () => {
    const read = (text: string) =>
      readClaudeMatcher(text, 'StopFailure', regex).type
    expect(read('rate_limit|overloaded')).toBe('names')
    expect(read('rate_limit, overloaded')).toBe('regex')
  })

  test('T59 a pattern that would run for ever is linear, or is tried for a moment only', async () => {
    const linear = readClaudeMatcher('^(a+)+$', 'PreToolUse', regex)
    expect(linear).toMatchObject({ type: 'regex', isLinear: true })
    const growth = await growthOf(50_000, (length) =>
      expect(fits(linear, `${'a'.repeat(length)}b`)).toBe(false),
    )
    expect(growth).toBeLessThan(linearGrowth)
    const ahead = readClaudeMatcher('^(?=(a+)+$)', 'PreToolUse', regex)
    expect(ahead).toMatchObject({ type: 'regex', isLinear: false })
    // To try it to the end takes longer than a test may.
    expect(fits(ahead, `${'a'.repeat(50_000)}b`)).toBe(true)
  })
})

describe('the condition of a hook', () => {
  test.each(ruleCases)('%s for %s %j: %s', (rule, name, input, fires) => {
    const own = {
      id: 'c',
      tool: name,
      owner: '',
      args: input,
      safety: 'mutating' as const,
    }
    const isMeant = compileRule(rule, regex)
    expect(isMeant({ id: 'c', name, input, own }, '/srv/app')).toBe(fires)
  })

  test('T21 fires for a command that hides in another one', () => {
    const isMeant = compileRule('Bash(rm *)', regex)
    const call = (command: string) => {
      const input = { command }
      const own = {
        id: 'c',
        tool: 'shell',
        owner: '',
        args: input,
        safety: 'mutating' as const,
      }
      return isMeant({ id: 'c', name: 'Bash', input, own }, '/srv/app')
    }
    const hidden = [
      'FOO=1 rm -rf x',
      '(rm -rf x)',
      '{ rm -rf x; }',
      'if true; then rm -rf x; fi',
      'echo "$(rm -rf x)"',
      'echo `rm -rf x`',
      'true &&\nrm -rf x',
      'r\\m -rf x',
      `'rm' -rf x`,
      '"r"m -rf x',
      'sleep 1 & rm -rf x',
      '! rm -rf x',
      `${'true; '.repeat(51)}rm -rf x`,
      'echo "unfinished',
      'echo $(unfinished',
      'x '.repeat(60_000),
    ]
    expect(hidden.filter((command) => !call(command))).toEqual([])
    expect(call('echo rm')).toBe(false)
    expect(call('git rm x')).toBe(false)
  })
})

test('a line for a shell is taken apart where a shell would', () => {
  const commandsIn = (line: string) => readShellCommands(line)?.commands
  expect(commandsIn('A=1 make -j2 && echo "a; b" | tee log')).toEqual([
    'make -j2',
    'echo a; b',
    'tee log',
  ])
  expect(commandsIn('echo "$(git log | head)"')).toEqual([
    'git log',
    'head',
    'echo $',
  ])
  expect(commandsIn("echo 'no end")).toBeUndefined()
})

import type { JsonObject } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { Layer } from '../dialect.ts'
import { claudeCode } from './claude-code.ts'
import { combineFiles } from './settings.ts'

const hooksOf = (command: string) => ({
  hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] },
})

function file(layer: Layer, settings: JsonObject = {}) {
  const text = JSON.stringify({ ...hooksOf(layer), ...settings })
  return claudeCode.readFile(text, { file: `${layer}.json`, layer })
}

function left(files: Parameters<typeof combineFiles>[0], isStrict = false) {
  const { hooks, findings } = combineFiles(files, { isStrict })
  const layers = hooks.map(({ source }) => source.layer)
  return { layers, codes: findings.map(({ code }) => code) }
}

const layers = ['plugin', 'local', 'project', 'user', 'managed'] as const

test('hooks of all files add up, in the order of their layers', () => {
  const files = layers.map((layer) => file(layer))
  expect(left(files).layers).toEqual([
    'managed',
    'user',
    'project',
    'local',
    'plugin',
  ])
})

describe('disableAllHooks', () => {
  const off = { disableAllHooks: true }
  const on = { disableAllHooks: false }

  test('of the user leaves managed hooks', () => {
    const files = [
      file('user', off),
      file('project'),
      file('managed'),
      file('plugin'),
    ]
    expect(left(files)).toEqual({
      layers: ['managed'],
      codes: ['all-disabled'],
    })
  })

  test('of a stronger file counts before that of a weaker one', () => {
    const files = [file('user', off), file('project', on)]
    expect(left(files).layers).toEqual(['user', 'project'])
  })

  test('of a project does not reach managed hooks, and in strict mode not the user’s', () => {
    const files = [file('user'), file('project', off), file('managed')]
    expect(left(files)).toEqual({
      layers: ['managed'],
      codes: ['all-disabled'],
    })
    expect(left(files, true).layers).toEqual(['managed', 'user'])
  })

  test('of the managed file is for all', () => {
    expect(left([file('user'), file('managed', off)]).layers).toEqual([])
  })
})

test('allowManagedHooksOnly counts in the managed file only', () => {
  const only = { allowManagedHooksOnly: true }
  const files = [file('user'), file('project'), file('managed', only)]
  expect(left(files)).toEqual({ layers: ['managed'], codes: ['managed-only'] })
  expect(left([file('user'), file('project', only)]).layers).toEqual([
    'user',
    'project',
  ])
})

describe('addresses of requests', () => {
  const asking = (url: string, allowed: readonly string[]) => {
    const hooks = {
      Stop: [{ hooks: [{ type: 'http', url, allowedEnvVars: ['A', 'B'] }] }],
    }
    const text = JSON.stringify({
      hooks,
      allowedHttpHookUrls: allowed,
      httpHookAllowedEnvVars: ['B'],
    })
    const source = { file: 'user.json', layer: 'user' as const }
    return combineFiles([claudeCode.readFile(text, source)]).hooks
  }

  test.each([
    ['https://hooks.example.com/a', ['https://hooks.example.com/*'], 1],
    ['https://hooks.example.com.evil.io/a', ['https://hooks.example.com*'], 0],
    ['https://hooks.example.com.evil.io/a', ['https://hooks.example.com/*'], 0],
    [
      'https://evil.io/https://hooks.example.com/',
      ['https://hooks.example.com/*'],
      0,
    ],
    ['https://a.example.com/x', ['https://*.example.com/*'], 1],
    ['https://evil.io/.example.com/x', ['https://*.example.com/*'], 0],
    ['http://hooks.example.com/a', ['https://hooks.example.com/*'], 0],
    ['https://user@hooks.example.com/a', ['https://hooks.example.com/*'], 0],
    ['https://hooks.example.com/a', [], 0],
  ])('%s by %j: %d', (url, allowed, count) => {
    expect(asking(url, allowed)).toHaveLength(count)
  })

  test('the variables of a header are those that both lists name', () => {
    const [hook] = asking('https://x.io/', ['https://x.io/*'])
    expect(hook?.handler).toMatchObject({ allowedEnv: ['B'] })
  })
})

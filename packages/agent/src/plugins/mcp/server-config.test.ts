import { describe, expect, test } from 'vitest'
import { loadClientPackage } from './client-package.ts'
import { createMcpPlugin } from './create-mcp-plugin.ts'
import { resolveServer, writtenFingerprint } from './resolve-server.ts'
import type { McpServerConfig } from './server-config.ts'

function refusalOf(name: string, config: unknown): string {
  try {
    // Configurations come from files, which no type has checked.
    createMcpPlugin({ servers: { [name]: config as McpServerConfig } })
  } catch (error) {
    return String(error)
  }
  return ''
}

describe('a server that cannot be meant is refused when the plugin is made', () => {
  test.each([
    ['an odd name', 'a__b', { command: 'x' }, 'name that tools cannot have'],
    ['a name with a dot', 'a.b', { command: 'x' }, 'name that tools cannot'],
    ['a long name', 'a'.repeat(33), { command: 'x' }, 'at most 32'],
    ['no object', 'a', 'x', 'is no object'],
    ['neither way', 'a', {}, 'either a "command" or a "url"'],
    [
      'both ways',
      'a',
      { command: 'x', url: 'https://b' },
      'either a "command"',
    ],
    ['an unknown key', 'a', { command: 'x', evn: {} }, 'unknown key "evn"'],
    [
      'an inherited key',
      'a',
      JSON.parse('{"command":"x","__proto__":1}'),
      'unknown key "__proto__"',
    ],
    [
      'a key of the other way',
      'a',
      { command: 'x', headers: {} },
      'unknown key',
    ],
    ['an empty command', 'a', { command: '' }, 'empty "command"'],
    ['arguments that are text', 'a', { command: 'x', args: 'y' }, 'no list'],
    ['an argument that is none', 'a', { command: 'x', args: [1] }, 'no text'],
    ['a NUL', 'a', { command: 'x', args: ['a\0b'] }, 'NUL character'],
    ['a class that is none', 'a', { command: 'x', safety: 'safe' }, 'none of'],
    ['no time', 'a', { command: 'x', idleMs: 0 }, 'not above 0'],
    ['unknown env', 'a', { command: 'x', env: { A: 'b' } }, 'unknown keys'],
    ['no address', 'a', { url: 'x' }, '"url" that is none'],
    ['credentials in it', 'a', { url: 'https://a:b@c' }, 'put them into'],
  ])('%s', (_, name, config, message) => {
    expect(refusalOf(name, config)).toContain(message)
  })

  test('T39 http: is for this machine alone', () => {
    expect(refusalOf('a', { url: 'http://a.example' })).toContain('https:')
    expect(refusalOf('a', { url: 'http://localhost.evil.com' })).toContain(
      'https:',
    )
    expect(refusalOf('a', { url: 'http://127.0.0.1:1/x' })).toBe('')
    expect(refusalOf('a', { url: 'http://[::1]:1/x' })).toBe('')
    expect(refusalOf('a', { url: 'https://a.example' })).toBe('')
    expect(refusalOf('a', { url: 'ftp://127.0.0.1' })).toContain('https:')
  })
})

describe('a fingerprint', () => {
  const source = { PATH: '/bin', KEY: 'one-key-12345' }
  const base: McpServerConfig = { command: 'x', env: { names: ['KEY'] } }
  const of = (config: McpServerConfig, env = source, cwd?: string) =>
    resolveServer(config, { source: env, cwd }).fingerprint

  test('is that of everything, credentials included', () => {
    const same = { env: { names: ['KEY'] }, command: 'x' }
    expect(of(same)).toBe(of(base))
    expect(of(base)).toMatch(/^[0-9a-f]{64}$/)
    const others = [
      of(base, { ...source, KEY: 'two-key-12345' }),
      of({ ...base, args: ['y'] }),
      of({ ...base, cwd: '/' }),
      of({ ...base, env: { ...base.env, set: { A: 'b' } } }),
      of({ ...base, idleMs: 5 }),
      of({ ...base, roots: true }, source, '/a'),
      of({ ...base, roots: true }, source, '/b'),
    ]
    expect(new Set([of(base), ...others]).size).toBe(others.length + 1)
  })

  test('of what is pinned has no values of variables in it', () => {
    const written = writtenFingerprint({ ...base, env: { set: { KEY: '1' } } })
    expect(written).toBe(
      writtenFingerprint({ ...base, env: { set: { KEY: '2' } } }),
    )
    expect(written).not.toBe(
      writtenFingerprint({ ...base, env: { set: { OTHER: '1' } } }),
    )
  })
})

test('T30 variables that steer code are handed on to no server', () => {
  const source = { NODE_OPTIONS: '--require x', LD_PRELOAD: 'y' }
  for (const names of [['NODE_OPTIONS'], ['LD_PRELOAD']]) {
    const config = { command: 'x', env: { names } }
    expect(() => resolveServer(config, { source, cwd: undefined })).toThrow(
      'decides what code programs run',
    )
  }
  const set = { command: 'x', env: { set: { NODE_OPTIONS: 'z' } } }
  expect(() => resolveServer(set, { source, cwd: undefined })).toThrow(
    'take it out of "env"',
  )
})

test('without the package it is said what to install', async () => {
  const missing = Object.assign(
    new Error("Cannot find package '@modelcontextprotocol/client'"),
    { code: 'ERR_MODULE_NOT_FOUND' },
  )
  await expect(
    loadClientPackage(() => Promise.reject(missing)),
  ).rejects.toMatchObject({
    code: 'missing-package',
    message:
      'MCP servers need the package @modelcontextprotocol/client; install it with: npm install @modelcontextprotocol/client',
  })
  const broken = new Error('broken')
  await expect(loadClientPackage(() => Promise.reject(broken))).rejects.toBe(
    broken,
  )
})

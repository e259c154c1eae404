import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { fetchNode, oldestNode } from '../ensure-node.mjs'
import { npm } from '../npm.mjs'
import { temporaryTree } from './temporary-tree.ts'

const root = resolve(import.meta.dirname, '../..')
const packages = ['packages/core', 'packages/agent', 'packages/daemon']

/** A user's program, on what an installation gives and nothing else. */
const program = `
import { createAgent, createPolicy, defineTool } from '@hookline/agent'
import { callLimit } from '@hookline/agent/hooks'
import { scriptedModel } from '@hookline/agent/testing'
import { defineHook, reject } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'

const ran = []
const shell = defineTool({
  name: 'shell',
  description: 'Runs a command.',
  input: { type: 'object', properties: { command: { type: 'string' } } },
  safety: 'mutating',
  execute: ({ command }) => {
    ran.push(command)
    return 'done'
  },
})
const call = (command) => ({ tool: 'shell', args: { command } })
const agent = createAgent({
  model: scriptedModel([
    { calls: [call('ls')] },
    { calls: [call('git push --force')] },
    { text: 'That is all.' },
  ]),
  tools: [shell],
  hooks: [
    defineHook({
      name: 'no-force-push',
      on: toolGuard,
      match: { args: { command: '*push --force*' } },
      run: () => reject('Not here.'),
    }),
  ],
  plugins: [callLimit({ toolCalls: 4 })],
  policy: createPolicy({ mode: 'open' }),
})
const { status, text } = await agent.run('Go.').result
console.log(JSON.stringify({ status, text, ran }))
`

test.each([
  ['this Node', () => process.execPath],
  ['the oldest one', () => fetchNode(root, oldestNode)],
])(
  'the packages, packed and installed into an empty folder, run there on %s',
  (_, findNode) => {
    const node = findNode()
    const tarballs = temporaryTree({})
    const home = temporaryTree({
      'package.json': JSON.stringify({ private: true, type: 'module' }),
      'program.mjs': program,
    })
    for (const one of packages) {
      npm(['pack', '--silent', '--pack-destination', tarballs], join(root, one))
    }
    const files = readdirSync(tarballs).map((name) => join(tarballs, name))
    expect(files).toHaveLength(packages.length)
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline']
    npm(['install', ...quiet, ...files], home)

    const run = (...args: readonly string[]) => {
      const PATH = `${dirname(node)}:${process.env['PATH']}`
      // The oldest Node warns of its own SQLite.
      const quietly = { NO_COLOR: '1', NODE_NO_WARNINGS: '1' }
      const { status, stdout, stderr } = spawnSync(node, args, {
        cwd: home,
        // Not even the settings of whoever runs the test.
        env: { PATH, HOME: home, ...quietly },
        encoding: 'utf8',
      })
      expect({ args, status, stderr }).toMatchObject({ status: 0 })
      return stdout + stderr
    }
    expect(JSON.parse(run('program.mjs'))).toEqual({
      status: 'succeeded',
      text: 'That is all.',
      ran: ['ls'],
    })
    const hookline = join(
      home,
      'node_modules/@hookline/daemon/dist/cli/main.js',
    )
    expect(run(hookline, '--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(run(hookline, 'init', '--yes')).toContain('hookline.config.yaml')
    expect(run(hookline, 'config', 'check')).toContain('A daemon starts')
    expect(run(hookline, 'demo', '--once')).toContain('The shop is published.')
  },
)

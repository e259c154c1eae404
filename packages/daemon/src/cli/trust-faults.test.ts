import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeProject, type Project } from './fixtures/project.ts'
import { openTerminal, runCommand } from './fixtures/terminal.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

let project: Project

beforeEach(() => {
  project = makeProject()
})

afterEach(() => project.remove())

const hooks = (...names: string[]) => {
  const written = names.map(
    (name) =>
      `  - { name: ${name}, on: tool.guard, handler: { type: command, argv: ['true', ${name}] } }\n`,
  )
  return `hooks:\n${written.join('')}`
}

test('T02 where nobody sits, what came with a project and is not trusted ends a run with a code of its own, unless its hash is named', async () => {
  project.write('.hookline/hooks.yaml', hooks('theirs'))
  const alone = await runCommand(project, ['run', 'hi'])
  expect(alone.code).toBe(7)
  expect(alone.stdout).toBe('')
  const [, hash = ''] = /theirs \((\w{64})\)/.exec(alone.stderr) ?? []
  expect(alone.stderr).toContain('HOOKLINE_TRUST')
  const named = await runCommand(project, ['run', 'hi'], {
    env: { HOOKLINE_TRUST: hash },
  })
  expect(named).toMatchObject({ code: 0, stdout: 'Hello.\n' })
})

test('hooks are listed, explained and trusted where no daemon runs', async () => {
  project.write('.hookline/hooks.yaml', hooks('theirs'))
  const trusted = await runCommand(project, ['hooks', 'trust', '--all', '-y'])
  expect(trusted).toMatchObject({ code: 0, stderr: '' })
  expect(trusted.stdout).toContain('1 is trusted')
  const listed = await runCommand(project, ['hooks', '--json'])
  const { items } = JSON.parse(listed.stdout)
  const mine = { name: 'theirs', isEnabled: true }
  expect(items).toContainEqual(expect.objectContaining(mine))
  const explained = await runCommand(project, [
    'hooks',
    'explain',
    'tool.guard',
  ])
  expect(explained).toMatchObject({ code: 0 })
  expect(explained.stdout).toContain('theirs')
  const ran = await runCommand(project, ['run', 'hi'])
  expect(ran).toMatchObject({ code: 0, stdout: 'Hello.\n' })
})

test('T12 a start reports, by hash, the hooks of the user that were not there when somebody last looked', async () => {
  project.configure(hooks('mine'))
  /** What is said of new hooks when a daemon is started at a terminal. */
  const said = async () => {
    const daemon = openTerminal(project, ['up'], { columns: 200 })
    try {
      await daemon.see('daemon.sock')
      daemon.kill('SIGTERM')
      await daemon.see('has stopped')
      return [
        ...daemon.text.matchAll(/New among your own hooks: (.*?)\. /g),
      ].map(([, what = '']) => what)
    } finally {
      daemon.kill()
      await daemon.ended
    }
  }
  expect(await said()).toEqual([expect.stringMatching(/^mine \(\w{16}\)$/)])
  expect(await said()).toEqual([])
  project.configure(hooks('mine', 'of-an-installer'))
  expect(await said()).toEqual([
    expect.stringMatching(/^of-an-installer \(\w{16}\)$/),
  ])
})

import { chmod, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openProject, type Project } from './fixtures/open-project.ts'

const ran = 'it ran'

const gate = (handler: object, rest: object = {}) =>
  JSON.stringify({
    hooks: [{ name: 'gate', on: 'tool.guard', ...rest, handler }],
  })

async function trustAll(
  hooks: Awaited<ReturnType<Project['open']>>,
): Promise<void> {
  await hooks.accept(hooks.state.untrusted.map(({ hash }) => hash))
}

async function writeProgram(
  { write }: Project,
  name: string,
  text: string,
): Promise<void> {
  await chmod(await write(name, `#!/bin/sh\n${text}\n`), 0o755)
}

/** Says that it is there, and refuses. */
const strike = (root: string) => `touch ${root}/owned; echo struck >&2; exit 2`

describe('what is trusted is what runs', () => {
  test.each<[string, object, string, string]>([
    [
      'a program with a relative path, which is the one beside its file',
      { type: 'command', argv: ['./gate.sh'] },
      '.hookline/gate.sh',
      'gate.sh',
    ],
    [
      'a process that stays, which runs beside its file',
      { type: 'command', mode: 'resident', argv: ['sh', 'gate.sh'] },
      '.hookline/gate.sh',
      'gate.sh',
    ],
    [
      'a script in a folder that a command goes to',
      { type: 'command', shell: 'cd tools && sh gate.sh' },
      'tools/gate.sh',
      'gate.sh',
    ],
    [
      'a script of a folder that make is told',
      { type: 'command', argv: ['make', '-s', '-C', 'tools', 'gate'] },
      'tools/Makefile',
      'Makefile',
    ],
  ])('T06 %s', async (_, handler, real, decoy) => {
    const project = await openProject()
    const { root, write, open, callTool } = project
    await write('.hookline/hooks.json', gate(handler))
    await writeProgram(project, decoy, 'exit 0')
    await writeProgram(project, real, 'exit 0')
    const hooks = await open()
    const [item] = hooks.state.untrusted
    expect(item?.files.map(({ path }) => path)).toContain(join(root, real))
    await trustAll(hooks)
    await writeProgram(project, real, strike(root))
    expect(await callTool('ls')).toContain('hook_error')
    expect(await readdir(root)).not.toContain('owned')
  })

  test('T06 a session without a folder runs what is trusted there, and nothing else', async () => {
    const project = await openProject({ cwd: '' })
    const { root, write, open, callTool } = project
    const handler = { type: 'command', argv: ['sh', 'gate.sh'] }
    await write('.hookline/hooks.json', gate(handler))
    await writeProgram(project, '.hookline/gate.sh', strike(root))
    await writeProgram(project, 'gate.sh', 'exit 0')
    const hooks = await open()
    await trustAll(hooks)
    expect(await callTool('ls')).toContain('hook_error')
    expect(await readdir(root)).not.toContain('owned')
  })
})

describe('what nobody trusts', () => {
  test('T06 does not fall back on what its new words say', async () => {
    const project = await openProject()
    const { write, open, callTool } = project
    const handler = { type: 'command', shell: 'exit 0' }
    const rest = { on: 'tool.pre_call', writes: true }
    await write('.hookline/hooks.json', gate(handler, rest))
    const hooks = await open()
    await trustAll(hooks)
    const args = { command: 'rm -rf /' }
    const onFailure = { fallback: { value: args } }
    const changed = { type: 'command', shell: 'exit 1' }
    await write('.hookline/hooks.json', gate(changed, { ...rest, onFailure }))
    const { untrusted } = await hooks.reload()
    expect(untrusted).toMatchObject([{ state: 'changed' }])
    const told = await callTool('ls')
    expect(project.executed).not.toContainEqual(args)
    expect(told).not.toContain(ran)
  })

  test('T06 keeps no other table from getting in by the order that it asks for', async () => {
    const { write, writeUser, open, callTool } = await openProject()
    const handler = { type: 'command', shell: 'exit 0' }
    await write('.hookline/hooks.json', gate(handler))
    const hooks = await open()
    await trustAll(hooks)
    const changed = { type: 'command', shell: 'exit 1' }
    await write('.hookline/hooks.json', gate(changed, { needs: ['no-such'] }))
    await writeUser(
      'hooks.yaml',
      'hooks: [{name: own, on: tool.guard, priority: 1, handler: {type: command, shell: "echo Mine. >&2; exit 2"}}]',
    )
    const { refusal } = await hooks.reload()
    expect(refusal).toBeUndefined()
    expect(await callTool('ls')).toContain('Mine.')
  })

  test('T01 has no code of ours called with its options', async () => {
    const { write, open, callTool } = await openProject()
    const created: unknown[] = []
    const builtin = {
      name: 'send',
      points: ['tool.guard'],
      optionsSchema: { properties: { to: { type: 'string' } } },
      create: (options: unknown) => {
        created.push(options)
        return () => ({ type: 'proceed' }) as const
      },
    }
    const use = (to: string) =>
      gate({ type: 'builtin', name: 'send', options: { to } })
    await write('.hookline/hooks.json', use('here'))
    const hooks = await open({ handlers: { builtins: [builtin] } })
    expect(created).toEqual([])
    await trustAll(hooks)
    expect(await callTool('ls')).toContain(ran)
    await write('.hookline/hooks.json', use('evil.example'))
    await hooks.reload()
    expect(await callTool('ls')).toContain('hook_error')
    expect(created).toEqual([{ to: 'here' }])
    await trustAll(hooks)
    expect(await callTool('ls')).toContain(ran)
  })

  test('T02 of another product is not read where it is no file, or leads out of the project', async () => {
    const { root, write, writeUser, open } = await openProject()
    const files = ['endless.json', 'elsewhere.json', 'folder.json']
    const dialects = files.map((file) => ({
      dialect: 'claude-code',
      file: `../${file}`,
    }))
    await write('.hookline/hooks.json', JSON.stringify({ dialects }))
    await symlink('/dev/zero', join(root, 'endless.json'))
    const command = { type: 'command', command: 'echo secret' }
    const settings = { hooks: { Stop: [{ hooks: [command] }] } }
    const secret = await writeUser('secret.json', JSON.stringify(settings))
    await symlink(secret, join(root, 'elsewhere.json'))
    await mkdir(join(root, 'folder.json'))
    const { state } = await open()
    expect(state.untrusted).toEqual([])
    expect(state.findings).toMatchObject(
      files.map((file) => ({
        code: 'unreadable-file',
        file: join(root, file),
      })),
    )
  }, 20_000)

  test('T04 of another product switches nothing off that is of the user', async () => {
    const project = await openProject()
    const { write, writeUser, open, callTool } = project
    const named = (file: string) =>
      `dialects: [{dialect: claude-code, file: ${file}}]`
    const settings = (word: string) => {
      const command = { type: 'command', command: `echo ${word} >&2; exit 2` }
      return JSON.stringify({ hooks: { PreToolUse: [{ hooks: [command] }] } })
    }
    const other = await writeUser('other.json', settings('Mine.'))
    await write('.hookline/hooks.yaml', named('settings.json'))
    await write('.hookline/settings.json', '{"disableAllHooks": true}')
    await open({ values: [named(other)] })
    expect(await callTool('ls')).toContain('Mine.')
  })
})

test('T04 a hook of the command line runs, whatever a project has copied of it', async () => {
  const { write, open, callTool } = await openProject()
  const handler = { type: 'command', shell: 'echo "Not now." >&2; exit 2' }
  const hook = { on: 'tool.guard', handler }
  const copy = { ...hook, name: 'copy' }
  await write('.hookline/hooks.json', JSON.stringify({ hooks: [copy] }))
  await open({ values: [{ hooks: [hook] }] })
  expect(await callTool('ls')).toContain('Not now.')
})

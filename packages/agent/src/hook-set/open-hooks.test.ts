import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineHook, reject } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { openProject } from './fixtures/open-project.ts'

/** Denies commands that begin with its first argument. */
const guard = `moment=$(cat)
case "$moment" in *'"command":"'"$1"*) echo "No $1 here." >&2; exit 2;; esac
`

const hookFile = (word: string, rest = '') => `hooks:
  - name: no-${word}
    on: tool.guard
    ${rest}
    handler:
      type: command
      argv: [bash, guard.sh, ${word}]
      cwd: .
`

const ran = 'it ran'

describe('hooks of files', () => {
  test('decide as hooks of code do, beside them', async () => {
    const { writeUser, open, callTool } = await openProject()
    await writeUser('hooks.yaml', hookFile('rm'))
    await writeUser('guard.sh', guard)
    const code = defineHook({
      name: 'no-dd',
      on: toolGuard,
      match: { args: { command: 'dd *' } },
      run: () => reject('No dd either.'),
    })
    const { state } = await open({ hooks: [code] })
    expect(state.problems).toEqual([])
    expect(await callTool('rm -rf /')).toContain('No rm here.')
    expect(await callTool('dd if=x')).toContain('No dd either.')
    expect(await callTool('ls')).toContain(ran)
  })

  test('match by expressions that take linear time', async () => {
    const { writeUser, open, callTool } = await openProject()
    const match = 'match: {args: {command: {$regex: "(rm|mv) .*"}}}'
    await writeUser('hooks.yaml', hookFile('x', match))
    await writeUser('guard.sh', 'echo "No." >&2; exit 2')
    await open()
    expect(await callTool('mv a b')).toContain('No.')
    expect(await callTool('ls rm a')).toContain(ran)
  })

  test('follow their file; what is wrong leaves the last good ones', async () => {
    const { writeUser, open, callTool } = await openProject()
    await writeUser('hooks.yaml', hookFile('rm'))
    await writeUser('guard.sh', guard)
    const hooks = await open()
    await writeUser('hooks.yaml', hookFile('mv'))
    await hooks.reload()
    expect(await callTool('rm x')).toContain(ran)
    expect(await callTool('mv x y')).toContain('No mv here.')

    await writeUser('hooks.yaml', hookFile('rm', 'matsch: {}'))
    const { problems } = await hooks.reload()
    expect(problems).toMatchObject([{ code: 'unknown-key', line: 4 }])
    expect(await callTool('mv x y')).toContain('No mv here.')

    const cycle =
      hookFile('rm', 'after: [no-mv]') +
      hookFile('mv', 'after: [no-rm]').replace('hooks:\n', '')
    await writeUser('hooks.yaml', cycle)
    const { refusal } = await hooks.reload()
    expect(refusal).toContain('no-rm')
    expect(await callTool('mv x y')).toContain('No mv here.')

    // To say that it runs now would be a lie.
    await expect(hooks.accept([])).rejects.toThrow('no-rm')
    expect(hooks.state.refusal).toBe(refusal)

    await writeUser('hooks.yaml', hookFile('rm'))
    expect((await hooks.reload()).refusal).toBeUndefined()
    expect(await callTool('rm x')).toContain('No rm here.')
  })

  test('F117 that are wrong at the start are told with file and line, and nothing starts', async () => {
    const { writeUser, open } = await openProject()
    await writeUser('hooks.yaml', hookFile('rm', 'matsch: {}'))
    await expect(open()).rejects.toThrow(/hooks\.yaml:4:\d+: .*"match"/)
  })

  test('that name what cannot be made are told so', async () => {
    const { writeUser, open } = await openProject()
    const handler = {
      type: 'http',
      url: 'https://x.test/',
      secretEnv: 'NOT_SET',
    }
    const text = JSON.stringify({ hooks: [{ on: 'tool.guard', handler }] })
    await writeUser('hooks.json', text)
    await expect(open()).rejects.toThrow('NOT_SET')
  })

  test('T15 a command that cannot be started is told of at once, and its gate refuses', async () => {
    const { writeUser, open, callTool } = await openProject()
    const file = hookFile('rm').replace('[bash, guard.sh, rm]', '[./no.sh]')
    await writeUser('hooks.yaml', file)
    const { state } = await open()
    expect(state.doubts).toMatchObject([{ hook: 'no-rm', line: 2 }])
    expect(await callTool('ls')).toContain('hook_error')
  })

  test('F119 a process that serves a hook goes on over a reload that leaves the hook', async () => {
    const { root, writeUser, open, callTool } = await openProject()
    const resident = (name: string) => `  - name: ${name}
    on: tool.guard
    handler: {type: command, mode: resident, argv: [bash, serve.sh, ${join(root, name)}], cwd: .}
`
    await writeUser(
      'serve.sh',
      `echo $$ >> "$1"
while read -r moment; do
  run=\${moment#*\\"run\\":\\"}
  echo "{\\"type\\":\\"proceed\\",\\"run\\":\\"\${run%%\\"*}\\"}"
done
echo end >> "$1"
`,
    )
    await writeUser(
      'hooks.yaml',
      `hooks:\n${resident('one')}${resident('two')}`,
    )
    const hooks = await open()
    expect(await callTool('ls')).toContain(ran)
    await writeUser('hooks.yaml', `hooks:\n${resident('one')}`)
    await hooks.reload()
    expect(await callTool('ls')).toContain(ran)
    expect(await readFile(join(root, 'one'), 'utf8')).toMatch(/^\d+\n$/)
    expect(await readFile(join(root, 'two'), 'utf8')).toMatch(/^\d+\nend\n$/)
  })
})

describe('hooks that come with a project', () => {
  test('T01 T06 do nothing until they are trusted; a gate that has changed refuses', async () => {
    const { write, open, callTool } = await openProject()
    await write('.hookline/hooks.yaml', hookFile('rm'))
    await write('.hookline/guard.sh', guard)
    const hooks = await open()
    expect(await callTool('rm x')).toContain(ran)
    const [item] = hooks.state.untrusted
    expect(item).toMatchObject({ name: 'no-rm', state: 'untrusted' })
    expect(item?.text).toContain('guard.sh')

    const after = await hooks.accept([item?.hash ?? ''])
    expect(after.untrusted).toEqual([])
    expect(await callTool('rm x')).toContain('No rm here.')
    expect(await callTool('ls')).toContain(ran)

    await write('.hookline/guard.sh', `${guard}\n# changed`)
    expect(await callTool('ls')).toContain('hook_error')
    const changed = await hooks.reload()
    expect(await callTool('ls')).toContain('hook_error')
    const [again] = changed.untrusted
    expect(again).toMatchObject({ state: 'changed' })
    await hooks.accept([again?.hash ?? ''])
    expect(await callTool('ls')).toContain(ran)
    expect(await callTool('rm x')).toContain('No rm here.')
  })

  test('T14 that cannot be read stop nobody who does not trust the project', async () => {
    const { write, writeUser, open, callTool } = await openProject()
    await writeUser('hooks.yaml', hookFile('rm'))
    await writeUser('guard.sh', guard)
    await write('.hookline/hooks.yaml', 'hooks: [')
    const hooks = await open()
    expect(hooks.state.problems).toMatchObject([{ code: 'syntax' }])
    expect(await callTool('rm x')).toContain('No rm here.')
    await write('.hookline/hooks.yaml', hookFile('mv'))
    await write('.hookline/guard.sh', guard)
    const { untrusted } = await hooks.reload()
    await hooks.accept(untrusted.map(({ hash }) => hash))
    await hooks.close()
    // Now gates would be missed.
    await write('.hookline/hooks.yaml', 'hooks: [')
    await expect(open()).rejects.toThrow('hooks.yaml:1')
  })

  test('F128 refuse where nobody can say any more whether they were trusted', async () => {
    const { root, write, open, callTool } = await openProject()
    await write('.hookline/hooks.yaml', hookFile('rm'))
    await write('.hookline/guard.sh', guard)
    const hooks = await open()
    await hooks.accept(hooks.state.untrusted.map(({ hash }) => hash))
    const state = join(root, '..', 'state')
    for (const name of await readdir(state)) {
      await writeFile(join(state, name), 'garbage')
    }
    expect(await callTool('ls')).toContain('hook_error')
    await hooks.reload()
    expect(await callTool('ls')).toContain('hook_error')
    await rm(state, { recursive: true })
  })

  test('of another product are held to the same', async () => {
    const { write, open, callTool } = await openProject()
    await write(
      '.hookline/hooks.yaml',
      `dialects:\n  - {dialect: claude-code, file: ../.claude/settings.json}\n`,
    )
    await write(
      '.claude/settings.json',
      JSON.stringify({
        hooks: {
          PreToolUse: [
            {
              matcher: 'Bash',
              hooks: [{ type: 'command', command: 'bash .claude/guard.sh rm' }],
            },
          ],
        },
      }),
    )
    await write('.claude/guard.sh', guard)
    const hooks = await open()
    expect(await callTool('rm x')).toContain(ran)
    const [item] = hooks.state.untrusted
    expect(item?.text).toContain('.claude/guard.sh')
    await hooks.accept([item?.hash ?? ''])
    expect(await callTool('rm x')).toContain('No rm here.')
    expect(await callTool('ls')).toContain(ran)
    await write('.claude/guard.sh', 'exit 0')
    expect(await callTool('rm x')).toContain('has changed since it was trusted')
  })
})

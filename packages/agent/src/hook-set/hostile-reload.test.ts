import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineHook, proceed } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openProject, type Project } from './fixtures/open-project.ts'

const ran = 'it ran'
const soon = { timeout: 30_000 }

/** Answers every line after a file is there, or at once without one. */
const serve = (word: string) => `echo ${word} >> "$1"
while read -r moment; do
  run=\${moment#*\\"run\\":\\"}
  echo asked >> "$1"
  while [ -n "$2" ] && [ ! -e "$2" ]; do sleep 0.02; done
  echo "{\\"type\\":\\"proceed\\",\\"run\\":\\"\${run%%\\"*}\\"}"
done
echo end >> "$1"
`

const resident = (name: string, args: readonly string[], rest = {}) => ({
  name,
  on: 'tool.guard',
  ...rest,
  handler: {
    type: 'command',
    mode: 'resident',
    argv: ['sh', 'serve.sh', ...args],
    cwd: '.',
  },
})

const file = (...hooks: readonly object[]) => JSON.stringify({ hooks })

const linesOf = async (path: string) => {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}

test('F119 reloads at the same time leave a table whose processes are there', async () => {
  const { root, writeUser, open, callTool } = await openProject()
  await writeUser('serve.sh', serve('start'))
  const hooks = ['one', 'two', 'three'].map((name) =>
    resident(name, [join(root, name)]),
  )
  const dialects = [{ dialect: 'claude-code', file: 'settings.json' }]
  await writeUser('settings.json', '{}')
  await writeUser('hooks.json', JSON.stringify({ hooks, dialects }))
  const opened = await open()
  const reloads = Array.from({ length: 20 }, () => opened.reload())
  await Promise.all([...reloads, opened.accept([])])
  expect(await callTool('ls')).toContain(ran)
  await opened.reload()
  expect(await callTool('ls')).toContain(ran)
  expect(await linesOf(join(root, 'one'))).toEqual(['start', 'asked', 'asked'])
})

async function busyProject(): Promise<
  Project & { readonly log: string; readonly gate: string }
> {
  const project = await openProject()
  const log = join(project.root, 'log')
  const gate = join(project.root, 'gate')
  await project.writeUser('serve.sh', serve('start'))
  await project.writeUser('hooks.json', file(resident('busy', [log, gate])))
  return { ...project, log, gate }
}

test('F119 a hook that is removed under a call answers it, and no reload waits for that', async () => {
  const { log, write, writeUser, open, callTool } = await busyProject()
  const opened = await open()
  const called = callTool('ls')
  await vi.waitUntil(async () => (await linesOf(log)).length === 2, soon)
  await writeUser('hooks.json', file())
  const { config } = await opened.reload()
  expect(config.hooks).toEqual([])
  await write('gate', '')
  expect(await called).toContain(ran)
  await vi.waitUntil(async () => (await linesOf(log)).includes('end'), soon)
})

test('a close waits for no call, and leaves no folder behind', async () => {
  // Other tests make folders of the same kind meanwhile.
  const own = await mkdtemp(join(tmpdir(), 'hookline-own-'))
  vi.stubEnv('TMPDIR', own)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await rm(own, { recursive: true, force: true })
  })
  const { log, writeUser, open, callTool } = await busyProject()
  const opened = await open()
  const called = callTool('ls')
  await vi.waitUntil(async () => (await linesOf(log)).length === 2, soon)
  await writeUser('hooks.json', file())
  await opened.reload()
  await opened.close()
  expect(await called).toContain('hook_error')
  const left = await readdir(own)
  expect(left.filter((name) => /^hookline-\w{6}$/.test(name))).toEqual([])
}, 30_000)

test('F119 a dispatch ends on the table it began with, also where that is gone', async () => {
  const { root, writeUser, open, callTool } = await openProject()
  const begun = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const slow = defineHook({
    name: 'slow',
    on: toolGuard,
    run: async () => {
      begun.resolve()
      await release.promise
      return proceed
    },
  })
  const log = join(root, 'log')
  await writeUser('serve.sh', serve('start'))
  const late = resident('late', [log], { after: ['slow'] })
  await writeUser('hooks.json', file(late))
  const opened = await open({ hooks: [slow] })
  const called = callTool('ls')
  await begun.promise
  await writeUser('hooks.json', file())
  await opened.reload()
  release.resolve()
  expect(await called).toContain(ran)
  expect(await linesOf(log)).toContain('asked')
  await vi.waitUntil(async () => (await linesOf(log)).includes('end'), soon)
})

test('T06 what is trusted anew is what runs, not the process of before', async () => {
  const { root, write, open, callTool } = await openProject()
  // What it names within the project counts, whatever is in it.
  const log = join(root, '..', 'log')
  await write('.hookline/hooks.json', file(resident('gate', [log])))
  await write('.hookline/serve.sh', serve('first'))
  const opened = await open()
  const trustAll = () =>
    opened.accept(opened.state.untrusted.map(({ hash }) => hash))
  await trustAll()
  expect(await callTool('ls')).toContain(ran)
  await write('.hookline/serve.sh', serve('second'))
  expect(await callTool('ls')).toContain('hook_error')
  await opened.reload()
  await trustAll()
  expect(await callTool('ls')).toContain(ran)
  const lines = await linesOf(log)
  expect(lines).toEqual(['first', 'asked', 'end', 'second', 'asked'])
})

test('T06 what is trusted anew is what runs, not the process that ran while it was held', async () => {
  const { root, write, open, callTool } = await openProject()
  const log = join(root, '..', 'log')
  await write('.hookline/hooks.json', file(resident('gate', [log])))
  const writeServe = (word: string) => write('.hookline/serve.sh', serve(word))
  await writeServe('first')
  const opened = await open()
  const trustAll = () =>
    opened.accept(opened.state.untrusted.map(({ hash }) => hash))
  await trustAll()
  await writeServe('second')
  await opened.reload()
  // What is trusted is back, and runs in the place that is held for the other.
  await writeServe('first')
  expect(await callTool('ls')).toContain(ran)
  await writeServe('second')
  await opened.reload()
  await trustAll()
  expect(await callTool('ls')).toContain(ran)
  expect(await linesOf(log)).toEqual([
    ...['first', 'asked', 'end'],
    ...['second', 'asked'],
  ])
})

test.each(['./rules.ts', './rules.json'])(
  'T06 a module judges by what it has of "%s" when that is trusted anew',
  async (named) => {
    const { write, open, callTool } = await openProject()
    const rules = (reason: string) =>
      named.endsWith('.json')
        ? JSON.stringify({ reason })
        : `export default { reason: '${reason}' }`
    await write(
      '.hookline/gate.ts',
      named.endsWith('.json')
        ? `import { readFileSync } from 'node:fs'
const { reason } = JSON.parse(readFileSync(new URL('./rules.json', import.meta.url), 'utf8'))
export const run = () => ({ type: 'reject', reason })`
        : `import rules from './rules.ts'
export const run = () => ({ type: 'reject', reason: rules.reason })`,
    )
    const writeRules = (reason: string) =>
      write(`.hookline/${named}`, rules(reason))
    await writeRules('First.')
    const handler = { type: 'module', file: 'gate.ts' }
    await write('.hookline/hooks.json', file({ on: 'tool.guard', handler }))
    const opened = await open()
    const trustAll = () =>
      opened.accept(opened.state.untrusted.map(({ hash }) => hash))
    await trustAll()
    expect(await callTool('ls')).toContain('First.')
    await writeRules('Second.')
    expect(await callTool('ls')).toContain('hook_error')
    await opened.reload()
    await trustAll()
    expect(await callTool('ls')).toContain('Second.')
    // Both are trusted by now, so that either judges as soon as it is there.
    await writeRules('First.')
    expect(await callTool('ls')).toContain('First.')
  },
)

test('F121 a module that no hook names any more is no longer there', async () => {
  const { root, writeUser, open, callTool } = await openProject()
  const socket = join(root, 'socket')
  await writeUser(
    'hook.mjs',
    `import { createServer } from 'node:net'
createServer().listen(${JSON.stringify(socket)})
export const run = () => ({ type: 'proceed' })
`,
  )
  const handler = { type: 'module', file: 'hook.mjs' }
  await writeUser('hooks.json', file({ on: 'tool.guard', handler }))
  const opened = await open()
  expect(await callTool('ls')).toContain(ran)
  const isThere = () =>
    new Promise<boolean>((resolve) => {
      const client = connect(socket, () => resolve(true))
      client.on('error', () => resolve(false))
      client.on('connect', () => client.destroy())
    })
  await vi.waitUntil(isThere, soon)
  await writeUser('hooks.json', file())
  await opened.reload()
  await vi.waitUntil(async () => !(await isThere()), soon)
})

test('what is thrown while a table is made is told, and the last one stays', async () => {
  const { writeUser, open, callTool } = await openProject()
  const deny = { type: 'command', shell: 'echo "No." >&2; exit 2' }
  await writeUser('hooks.json', file({ on: 'tool.guard', handler: deny }))
  let isBroken = false
  const create = () => {
    if (isBroken) throw new TypeError('broken')
    return () => proceed
  }
  const builtin = {
    name: 'odd',
    points: ['tool.guard'],
    optionsSchema: {},
    create,
  }
  const opened = await open({ handlers: { builtins: [builtin] } })
  isBroken = true
  const odd = { type: 'builtin', name: 'odd' }
  await writeUser('hooks.json', file({ on: 'tool.guard', handler: odd }))
  const { refusal } = await opened.reload()
  expect(refusal).toBeDefined()
  expect(await callTool('ls')).toContain('No.')
})

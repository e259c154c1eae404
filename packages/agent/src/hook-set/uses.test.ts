import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { defineHook, type Hook, proceed, reject } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { defineHooks, object, text } from '../define-hooks.ts'
import { callLimit, cedar } from '../hooks.ts'
import { type CountOptions, countingHooks } from './fixtures/counting-hooks.ts'
import { openProject, type Project } from './fixtures/open-project.ts'

const ran = 'it ran'

const use = (options: CountOptions = {}, more: object = {}) => ({
  ...{ use: 'count', options, ...more },
})
const file = (...hooks: readonly object[]) => JSON.stringify({ hooks })

async function opened(...hooks: readonly object[]) {
  const counting = countingHooks()
  const project = await openProject()
  await project.writeUser('hooks.json', file(...hooks))
  const set = await project.open({ catalogue: counting.catalogue })
  return { ...project, ...counting, set }
}

test('a use in a file acts as the plugin of the same options does', async () => {
  const { callTool, made } = await opened(use({ calls: 1 }))
  expect(await callTool('ls')).toContain(ran)
  expect(await callTool('ls')).toContain('count is full.')
  expect(made).toEqual(['count'])
})

test('a shipped entry is used by its name', async () => {
  const { writeUser, open, callTool } = await openProject()
  const hooks = [
    { use: 'call-limit', options: { toolCalls: 1, per: 'session' } },
  ]
  await writeUser('hooks.json', file(...hooks))
  await open({ catalogue: async () => [callLimit.spec] })
  expect(await callTool('ls')).toContain(ran)
  expect(await callTool('ls')).toContain('no more')
})

test('relative paths in options begin at the folder of the file', async () => {
  const { writeUser, open, callTool } = await openProject()
  const deny = 'forbid(principal, action, resource);'
  await writeUser('deny.cedar', deny)
  const hooks = [{ use: 'cedar', options: { file: 'deny.cedar' } }]
  await writeUser('hooks.json', file(...hooks))
  const { state } = await open({ catalogue: [cedar.spec] })
  expect(state.refusal).toBeUndefined()
  expect(await callTool('ls')).not.toContain(ran)
})

test('records say which entry a hook is of, and which version of it', async () => {
  const { set, writeUser, find } = await tabled(use({}, { name: 'mine' }))
  const first = find('mine:guard')?.handler
  expect(first).toMatchObject({ id: 'count', kind: 'use' })
  expect(find('mine:end')?.handler).toEqual({
    ...first,
    version: expect.any(String),
  })
  await writeUser('hooks.json', file(use({ calls: 2 }, { name: 'mine' })))
  await set.reload()
  const { version } = find('mine:guard')?.handler ?? {}
  expect(version).toMatch(/^[0-9a-f]{16}$/)
  expect(version).not.toBe(first?.version)
})

/** A set whose tables are looked at, and not run. */
async function tabled(...hooks: readonly object[]) {
  const { catalogue } = countingHooks()
  const { writeUser, open } = await openProject()
  await writeUser('hooks.json', file(...hooks))
  let table: readonly Hook[] = []
  const set = await open({
    catalogue,
    swap(swapped) {
      table = swapped.hooks
    },
  })
  const find = (name: string) => table.find((hook) => hook.name === name)
  return { set, find, writeUser }
}

test('its mode, its time and its place are those of all its hooks', async () => {
  const { find } = await tabled(
    use({}, { mode: 'evaluate', timeoutMs: 77, priority: 20 }),
    use({}, { name: 'usual' }),
  )
  const all = { mode: 'evaluate' }
  expect(find('count:guard')).toMatchObject({
    ...{ ...all, timeoutMs: 77, priority: 20 },
  })
  // Eighty earlier than its own fifty, where the order is the other way round.
  expect(find('count:after')).toMatchObject({
    ...{ ...all, execution: { deadlineMs: 77 }, priority: -30 },
  })
  expect(find('count:end')).toMatchObject({ ...all, timeoutMs: 77 })
  expect(find('usual:guard')).toMatchObject({ priority: 100 })
  expect(find('usual:after')).toMatchObject({ priority: 50 })
  expect(find('usual:guard')?.mode).toBeUndefined()
})

test('a use with a lower priority is outside of another: first in, last out', async () => {
  const { callTool, asked } = await opened(
    use({ calls: 9 }, { name: 'inner', priority: 110 }),
    use({ calls: 9 }, { name: 'outer', priority: 90 }),
  )
  await callTool('ls')
  expect(asked.filter((name) => !name.endsWith(':end'))).toEqual([
    ...['outer:guard', 'inner:guard'],
    ...['inner:after', 'outer:after'],
  ])
})

test('what only evaluates refuses nothing', async () => {
  const { callTool, asked } = await opened(
    use({ calls: 0 }, { mode: 'evaluate' }),
  )
  expect(await callTool('ls')).toContain(ran)
  expect(asked).toContain('count:guard')
})

test('what its hooks know outlives a reload that leaves it as it is', async () => {
  const { callTool, writeUser, set, made } = await opened(use({ calls: 1 }))
  expect(await callTool('ls')).toContain(ran)
  await writeUser('hooks.json', file(use({ calls: 1 }), use({}, { name: 'b' })))
  await set.reload()
  expect(await callTool('ls')).toContain('count is full.')
  // Another place in the order is not another use.
  await writeUser('hooks.json', file(use({ calls: 1 }, { priority: 5 })))
  await set.reload()
  expect(await callTool('ls')).toContain('count is full.')
  expect(made).toEqual(['count', 'b'])
  await writeUser('hooks.json', file(use({ calls: 2 })))
  await set.reload()
  expect(await callTool('ls')).toContain(ran)
})

test.each([
  ['breaks', { breaks: true }, 'It broke.'],
  ['has a hook of another name', { called: 'other:guard' }, 'begin with'],
  ['has a name twice', { called: 'count:after' }, 'Two are named'],
])(
  'F113 an entry that %s leaves the last good table',
  async (_, wrong, why) => {
    const { callTool, writeUser, set } = await opened(use({ calls: 0 }))
    await writeUser('hooks.json', file(use(wrong)))
    const { refusal, problems } = await set.reload()
    expect(refusal).toContain(why)
    expect(problems).toContainEqual(
      expect.objectContaining({ hook: 'count', line: 1 }),
    )
    expect(await callTool('ls')).toContain('count is full.')
    await writeUser('hooks.json', file(use({ calls: 1 })))
    expect((await set.reload()).refusal).toBeUndefined()
    expect(await callTool('ls')).toContain(ran)
  },
)

test('an entry that breaks at the start is an error', async () => {
  const { writeUser, open } = await openProject()
  await writeUser('hooks.json', file(use({ breaks: true })))
  const { catalogue } = countingHooks()
  await expect(open({ catalogue })).rejects.toThrow('It broke.')
  await expect(open()).rejects.toThrow(/hooks.json:1:\d+: .*"count"/)
})

test('one that is to watch, and judges, is refused', async () => {
  const { writeUser, open } = await openProject()
  await writeUser('hooks.json', file(use()))
  const [spec] = countingHooks().catalogue
  const catalogue = [{ ...spec, isObserver: true }] as ReturnType<
    typeof countingHooks
  >['catalogue']
  await expect(open({ catalogue })).rejects.toThrow('observers only')
})

test('a hook that takes the name of one of a use keeps the table out', async () => {
  const { callTool, writeUser, set } = await opened(use({ calls: 0 }))
  const thief = {
    ...{ name: 'count:guard', on: 'tool.guard' },
    handler: { type: 'command', argv: ['true'] },
  }
  await writeUser('hooks.json', file(use({ calls: 0 }), thief))
  expect((await set.reload()).refusal).toContain('count:guard')
  expect(await callTool('ls')).toContain('count is full.')
})

test('T01 T06 a use of a project does nothing until it is trusted, and refuses when it has changed', async () => {
  const { catalogue, made } = countingHooks()
  const { write, open, callTool } = await openProject()
  const name = 'hookline.config.json'
  await write(name, file(use({ calls: 1 })))
  const set = await open({ catalogue })
  expect(await callTool('ls')).toContain(ran)
  expect(made).toEqual([])
  const [item] = set.state.untrusted
  expect(item).toMatchObject({ name: 'count', state: 'untrusted' })
  expect(item?.text).toContain('"calls"')
  await set.accept([item?.hash ?? ''])
  expect(await callTool('ls')).toContain(ran)
  expect(await callTool('ls')).toContain('count is full.')
  await write(name, file(use({ calls: 99 }, { mode: 'enforce' })))
  const { untrusted } = await set.reload()
  expect(untrusted).toMatchObject([{ name: 'count', state: 'changed' }])
  expect(await callTool('ls')).toContain('hook_error')
  await set.accept(untrusted.map(({ hash }) => hash))
  expect(await callTool('ls')).toContain(ran)
})

test('T06 the files that a use names are part of what is trusted', async () => {
  const { write, open, callTool } = await openProject()
  await write('rules.cedar', 'permit(principal, action, resource);')
  const hooks = [{ use: 'cedar', options: { file: 'rules.cedar' } }]
  await write('hookline.config.json', file(...hooks))
  const set = await open({ catalogue: [cedar.spec] })
  const [item] = set.state.untrusted
  expect(item?.files).toMatchObject([{ named: 'rules.cedar' }])
  await set.accept([item?.hash ?? ''])
  expect(await callTool('ls')).toContain(ran)
  await write('rules.cedar', 'permit(principal, action, resource); // more')
  // At once, and not only when the files are read again.
  expect(await callTool('ls')).toContain('hook_error')
  const { untrusted } = await set.reload()
  expect(untrusted).toMatchObject([{ name: 'cedar', state: 'changed' }])
  expect(await callTool('ls')).toContain('hook_error')
  await set.accept(untrusted.map(({ hash }) => hash))
  expect(await callTool('ls')).toContain(ran)
})

test('T06 a use that was made from other files than the trusted ones refuses when those are back, until it is made anew', async () => {
  const { write, open, callTool } = await openProject()
  const deny = 'forbid(principal, action, resource);'
  await write('rules.cedar', deny)
  const hooks = [{ use: 'cedar', options: { file: 'rules.cedar' } }]
  await write('hookline.config.json', file(...hooks))
  const set = await open({ catalogue: [cedar.spec] })
  await set.accept(set.state.untrusted.map(({ hash }) => hash))
  expect(await callTool('ls')).toContain('forbidden')
  await write('rules.cedar', 'permit(principal, action, resource);')
  const { untrusted } = await set.reload()
  expect(untrusted).toMatchObject([{ name: 'cedar', state: 'changed' }])
  expect(await callTool('ls')).toContain('hook_error')
  await write('rules.cedar', deny)
  expect(await callTool('ls')).toContain('hook_error')
  await set.reload()
  expect(await callTool('ls')).toContain('forbidden')
})

test.each(['before', 'while'])(
  'T06 a use whose file changes %s it is read does not judge by that once it is trusted again',
  async (when) => {
    const { root, write, open, callTool } = await openProject()
    const path = join(root, 'word')
    let looks = 0
    const change = (at: number) => {
      if (++looks === at) writeFileSync(path, 'yes')
    }
    const { spec } = defineHooks<{ file: string }>({
      name: 'word',
      description: 'Refuses where its file says no.',
      options: object({ file: text() }, ['file']),
      files({ file: named }) {
        // First for what is to be trusted, then for what it is made from.
        if (when === 'before') change(3)
        return [named]
      },
      create(_, { name }) {
        if (when === 'while') change(1)
        const isNo = readFileSync(path, 'utf8') === 'no'
        const run = () => (isNo ? reject('Never.') : proceed)
        return [defineHook({ name, on: toolGuard, run })]
      },
    })
    await write('word', 'no')
    const used = { use: 'word', options: { file: 'word' } }
    await write('hookline.config.json', file(used))
    const set = await open({ catalogue: [spec] })
    const hashes = set.state.untrusted.map(({ hash }) => hash)
    await set.accept(hashes).catch(() => {})
    expect(readFileSync(path, 'utf8')).toBe('yes')
    await write('word', 'no')
    if (when === 'before') expect(await callTool('ls')).toContain('hook_error')
    await set.reload()
    expect(await callTool('ls')).toContain('Never.')
  },
)

test('T01 an untrusted project changes nothing about a managed use', async () => {
  const { catalogue } = countingHooks()
  const project = await openProject()
  await manage(project, file(use({ calls: 0 }, { name: 'house' })))
  const rest = { disable: ['house', 'house:guard', 'house:after'] }
  const loose = use({ calls: 9 }, { name: 'house' })
  await project.write(
    'hookline.config.json',
    JSON.stringify({ hooks: [loose], ...rest }),
  )
  const audited: unknown[] = []
  const set = await project.open({
    catalogue,
    onAudit: (entry) => audited.push(entry),
  })
  expect(await project.callTool('ls')).toContain('house is full.')
  expect(audited).toHaveLength(2)
  expect(set.state.untrusted).toEqual([])
})

async function manage({ root }: Project, text: string): Promise<void> {
  const folder = join(dirname(root), 'managed')
  await mkdir(folder)
  await writeFile(join(folder, 'hooks.json'), text)
}

test('all hooks of a managed use are managed', async () => {
  const { catalogue } = countingHooks()
  const project = await openProject()
  await manage(project, file(use({}, { name: 'house' })))
  let managed: ReadonlySet<string> = new Set()
  await project.open({
    catalogue,
    swap(set) {
      managed = set.managed
    },
  })
  expect([...managed]).toEqual(['house:guard', 'house:after', 'house:end'])
})

test('F119 reloads at the same time make each use once, and the last file counts', async () => {
  const { callTool, writeUser, set, made } = await opened(use({ calls: 0 }))
  await writeUser('hooks.json', file(use({ calls: 1 })))
  await Promise.all(Array.from({ length: 20 }, () => set.reload()))
  expect(made).toEqual(['count', 'count'])
  await writeUser('hooks.json', file(use({ breaks: true })))
  const broken = Array.from({ length: 5 }, () => set.reload())
  expect(await callTool('ls')).toContain(ran)
  await Promise.all(broken)
  expect(await callTool('ls')).toContain('count is full.')
})

test('a reload reads the files that options name again', async () => {
  const { writeUser, open, callTool } = await openProject()
  const hooks = [{ use: 'cedar', options: { file: 'tools.cedar' } }]
  await writeUser('hooks.json', file(...hooks))
  await writeUser('tools.cedar', 'permit(principal, action, resource);')
  const set = await open({ catalogue: [cedar.spec] })
  expect(await callTool('ls')).toContain(ran)
  await writeUser('tools.cedar', 'forbid(principal, action, resource);')
  expect((await set.reload()).refusal).toBeUndefined()
  expect(await callTool('ls')).not.toContain(ran)
  await writeUser('tools.cedar', 'no policy')
  expect((await set.reload()).refusal).toContain('cannot be read')
  expect(await callTool('ls')).not.toContain(ran)
})

test('records tell uses apart that are made from other words in a file', async () => {
  const { writeUser, open } = await openProject()
  const hooks = [{ use: 'cedar', options: { file: 'tools.cedar' } }]
  await writeUser('hooks.json', file(...hooks))
  const versions: unknown[] = []
  const readAs = (policies: string) => writeUser('tools.cedar', policies)
  await readAs('permit(principal, action, resource);')
  const set = await open({
    catalogue: [cedar.spec],
    swap: ({ hooks: [hook] }) => versions.push(hook?.handler?.version),
  })
  await set.reload()
  await readAs('forbid(principal, action, resource);')
  await set.reload()
  const [first, same, other] = versions
  expect(versions).toHaveLength(3)
  expect(same).toBe(first)
  expect(other).not.toBe(first)
})

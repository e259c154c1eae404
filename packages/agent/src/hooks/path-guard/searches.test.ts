import {
  mkdir,
  mkdtemp,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BoundTool, JsonObject, ToolResult } from 'hookline/lifecycle'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPolicy, createRuntime } from '../../index.ts'
import { createOsPlugin } from '../../plugins.ts'
import { scriptedModel } from '../../testing/index.ts'
import { type PathGuardOptions, pathGuard } from './path-guard.ts'

const files = {
  '.env': 'KEY=top',
  'conf/key': 'KEY=conf',
  'notes.txt': 'KEY=12:30:45\nsee .env:1:2',
  'src/a.ts': 'KEY=a',
  'src/deep/server.pem': 'KEY=pem',
  'src/od\nd/.env': 'KEY=odd',
  'src/x:1:y/.env': 'KEY=colon',
}

async function makeWork(): Promise<string> {
  const work = await realpath(await mkdtemp(join(tmpdir(), 'hookline-search-')))
  onTestFinished(() => rm(work, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(work, name, '..'), { recursive: true })
    await writeFile(join(work, name), text)
  }
  await symlink(join(work, '.env'), join(work, 'settings'))
  return work
}

interface Searching {
  readonly options?: PathGuardOptions
  readonly cwd?: string
  readonly tools?: readonly BoundTool[]
}

/** What a model is told of a call; with no tools given, by those that ship. */
async function ask(
  tool: string,
  args: JsonObject,
  { options = {}, cwd, tools }: Searching = {},
): Promise<string> {
  const model = scriptedModel([{ calls: [{ tool, args }] }, { text: 'Done.' }])
  const runtime = createRuntime({
    models: { resolve: () => model },
    policy: createPolicy({ mode: 'open' }),
    plugins: [pathGuard(options), ...(tools ? [] : [createOsPlugin()])],
    tools: tools ?? [],
  })
  try {
    await runtime.register({ name: 'main', model: 'x', instructions: '' })
    const session = await runtime.openSession({
      agent: 'main',
      cwd: cwd ?? (await makeWork()),
    })
    await session.send('Go.').result
    const [told] = model.requests.at(-1)?.messages.at(-1)?.content ?? []
    const content = told?.type === 'tool_result' ? told.content : []
    return content.map((one) => (one.type === 'text' ? one.text : '')).join('|')
  } finally {
    await runtime.close()
  }
}

/** A tool that gives what it is told, as searches of others may. */
function printing(name: string, result: ToolResult): BoundTool {
  return {
    name,
    description: 'Searches.',
    inputSchema: { type: 'object' },
    safety: 'read_only',
    dispatch: async () => result,
  }
}

const found = (text: string): ToolResult => ({
  content: [{ type: 'text', text }],
  isError: false,
})

describe('a search', () => {
  test.for<readonly [string, JsonObject]>([
    ['of a folder', { path: '.' }],
    ['of no folder that is named', {}],
  ])('%s shows no line of a denied file', async ([, where]) => {
    const told = await ask('grep', { pattern: 'KEY', ...where })
    expect(told.split('\n').sort()).toEqual([
      'conf/key:1:KEY=conf',
      'notes.txt:1:KEY=12:30:45',
      'src/a.ts:1:KEY=a',
    ])
  })

  test('of denied files alone looks like one that has found nothing', async () => {
    const guess = (pattern: string) => ask('grep', { pattern, glob: '.env' })
    expect(await guess('KEY=t')).toBe('No line fits.')
    expect(await guess('KEY=t')).toBe(await guess('KEY=u'))
  })

  test('shows none by patterns about the working folder either', async () => {
    const options = { deny: ['./conf/k*'] }
    const told = await ask(
      'grep',
      { pattern: 'KEY=c', path: 'conf' },
      { options },
    )
    expect(told).toBe('No line fits.')
  })

  test('without a path is one of the working folder', async () => {
    const cwd = await makeWork()
    const within = { options: { roots: ['src'] }, cwd }
    for (const tool of ['grep', 'glob']) {
      const told = await ask(tool, { pattern: 'KEY' }, within)
      expect(told).toContain('outside of the folders')
      const inside = await ask(tool, { pattern: 'a', path: 'src' }, within)
      expect(inside).not.toContain('outside')
    }
  })

  test('by a tool of somebody else loses the same lines, and its data', async () => {
    const cwd = await makeWork()
    const text = `src/a.ts:1:a\n${cwd}/.env:1:b\nsettings:1:c\nconf/key:1:d`
    const tool = printing('find', {
      content: [{ type: 'text', text }],
      isError: false,
      data: { lines: ['b'] },
    })
    const options = {
      tools: { find: { read: ['dir'] } },
      deny: ['.env', 'conf/**'],
    }
    const rest = { options, cwd, tools: [tool] }
    expect(await ask('find', { dir: 'src' }, rest)).toBe('src/a.ts:1:a')
    expect(await ask('find', { dir: '.' }, rest)).toBe('src/a.ts:1:a')
  })

  test('whose lines have more names in them than can be looked at loses them', async () => {
    const line = `a${':1:'.repeat(20)}`
    const tools = [printing('grep', found(`src/a.ts:1:a\n${line}`))]
    expect(await ask('grep', { path: '.' }, { tools })).toBe('src/a.ts:1:a')
  })

  test('keeps lines that only speak of such a file, and those too long for a name', async () => {
    const long = `src/a.ts:1:${'x'.repeat(300)}:2:${'y'.repeat(9_000)}`
    const text = `notes.txt:2:see .env:1:2\n${long}`
    const tools = [printing('grep', found(text))]
    expect(await ask('grep', { path: '.' }, { tools })).toBe(text)
  })
})

test('a file that is read is shown as it is, whatever it speaks of', async () => {
  const text = '.env:1:KEY'
  const tools = [printing('read', found(text))]
  expect(await ask('read', { path: 'notes.txt' }, { tools })).toBe(text)
})

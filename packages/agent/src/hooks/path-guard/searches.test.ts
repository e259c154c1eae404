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

  test.for<readonly [string, string]>([
    ['as many numbers as there may be', `src/a.ts${':1'.repeat(2_000)}: x`],
    ['numbers beyond the longest path', `src/a.ts:1:${'x/:1:'.repeat(1_000)}`],
  ])('keeps a line with %s', async ([, line]) => {
    const tools = [printing('grep', found(line))]
    expect(await ask('grep', { path: '.' }, { tools })).toBe(line)
  })

  test('whose result has more names in it than can be looked at loses what was not', async () => {
    const line = (at: number) => `src/a.ts:1:${at}${':1'.repeat(120)}: x`
    const all = Array.from({ length: 200 }, (_, at) => line(at))
    const tools = [printing('grep', found([...all, 'src/a.ts:1:a'].join('\n')))]
    const told = (await ask('grep', { path: '.' }, { tools })).split('\n')
    expect(told.length).toBeLessThan(200)
    expect(told.at(-1)).toBe('src/a.ts:1:a')
  })

  test('keeps lines that only speak of such a file, and those too long for a name', async () => {
    const long = `src/a.ts:1:${'x'.repeat(300)}:2:${'y'.repeat(9_000)}`
    const text = `notes.txt:2:see .env:1:2\n${long}`
    const tools = [printing('grep', found(text))]
    expect(await ask('grep', { path: '.' }, { tools })).toBe(text)
  })
})

describe('of what the tools that ship have found', () => {
  /** What a search is told, with more files there. */
  async function search(
    more: Readonly<Record<string, string>>,
    args: JsonObject = {},
    options: PathGuardOptions = {},
  ) {
    const cwd = await makeWork()
    for (const [name, text] of Object.entries(more)) {
      await mkdir(join(cwd, name, '..'), { recursive: true })
      await writeFile(join(cwd, name), text)
    }
    return await ask('grep', { pattern: 'KEY', ...args }, { options, cwd })
  }

  test('a line that only names a denied file stays', async () => {
    const text = 'KEY at /home/u/.ssh/id_rsa:3:4 x'
    const more = { 'a/a.log': text, 'a/b:1:c.log': text }
    const told = await search(more, { path: 'a' })
    expect(told).toBe(`a.log:1:${text}\nb:1:c.log:1:${text}`)
  })

  test('all lines with many numbers stay', async () => {
    const line = `KEY${':1'.repeat(120)}: x`
    const text = Array.from({ length: 100 }, (_, at) => `${at}:${line}`)
    const told = await search({ 'a/a': text.join('\n') }, { path: 'a' })
    expect(told.split('\n')).toHaveLength(100)
  })

  test.for([
    ['pkg', 'config/prod.yml:1:KEY=1'],
    ['.', 'pkg/config/prod.yml:1:KEY=1'],
    ['config', 'No line fits.'],
  ] as const)(
    'a search of "%s" shows all lines but those of the file that is denied here',
    async ([path, told]) => {
      const more = {
        'config/prod.yml': 'KEY=0',
        'pkg/config/prod.yml': 'KEY=1',
      }
      const args = { path, glob: '**/prod.yml' }
      expect(await search(more, args, { deny: ['config/prod.yml'] })).toBe(told)
    },
  )

  test.for([
    'x:1:y/.env',
    'x:1:y:2:z/.env',
    `x${':1:'.repeat(40)}y/.env`,
    'x:1:.env:2:/id_rsa',
    'x/a:1:b/c:2:d/.env',
    'x:1:y\n:3:z/.env',
    '"x:1:"/.env',
  ])('none is of "%s", whatever is beside it', async (name) => {
    const beside = name.startsWith('x:') ? { x: 'KEY' } : {}
    const told = await search({ [name]: 'KEY=odd', ...beside })
    expect(told).toContain('src/a.ts:1:KEY=a')
    expect(told).not.toContain('odd')
  })
})

describe('of what other tools have found, however they print it', () => {
  async function told(
    lines: readonly string[],
    prepare: (cwd: string) => Promise<unknown>,
    options: PathGuardOptions = {},
  ) {
    const cwd = await makeWork()
    await prepare(cwd)
    const text = lines.map((line) => line.replaceAll('<cwd>', cwd)).join('\n')
    const tools = [printing('grep', found(text))]
    return await ask('grep', { path: 'src' }, { tools, cwd, options })
  }

  test('a line goes that is of a denied file from any folder, with numbers in its name', async () => {
    const prepare = (cwd: string) => writeFile(join(cwd, 'src', 'x'), '')
    const lines = [
      'x:1:y/.env:1:KEY',
      '<cwd>/src/x:1:y/.env:1:KEY',
      'elsewhere/x:1:y/.env:1:KEY',
      `x${':1:'.repeat(40)}y/.env:1:KEY`,
      `elsewhere/x${':1:'.repeat(40)}y/.env:1:KEY`,
    ]
    expect(await told(lines, prepare)).toBe('No line fits.')
  })

  test('lines of denied files alone go, also where the session has no folder', async () => {
    const work = await makeWork()
    const lines = `src/a.ts:1:a\nnone/b.ts:1:a\nsettings:1:b\n${work}/.env:1:c`
    const rest = { tools: [printing('grep', found(lines))], cwd: '' }
    const options = { roots: [work] }
    const told = await ask('grep', { path: work }, { ...rest, options })
    expect(told).toBe('src/a.ts:1:a\nnone/b.ts:1:a')
  })

  test('a line goes that may be of a denied file beside one of its name', async () => {
    const prepare = async (cwd: string) => {
      await mkdir(join(cwd, 'src', 'conf'))
      await writeFile(join(cwd, 'src', 'conf', 'key'), '')
      await symlink(join(cwd, 'conf'), join(cwd, 'src', 'led'))
    }
    const lines = ['conf/key:1:KEY', 'led/key:1:KEY']
    const deny = ['conf/key']
    expect(await told(lines, prepare, { deny })).toBe('No line fits.')
  })

  test('a line goes that is of a denied file by a name that goes up from a link', async () => {
    const prepare = async (cwd: string) => {
      await mkdir(join(cwd, 'conf', 'sub'))
      await symlink(join(cwd, 'conf', 'sub'), join(cwd, 'src', 'led'))
    }
    const lines = ['led/../key:1:KEY', './deep/../led/../key:1:KEY']
    const deny = ['conf/key']
    expect(await told(lines, prepare, { deny })).toBe('No line fits.')
  })
})

test('a file that is read is shown as it is, whatever it speaks of', async () => {
  const text = '.env:1:KEY'
  const tools = [printing('read', found(text))]
  expect(await ask('read', { path: 'notes.txt' }, { tools })).toBe(text)
})

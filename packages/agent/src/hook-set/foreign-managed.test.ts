import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openProject, type Project } from './fixtures/open-project.ts'

const dialects = [{ dialect: 'claude-code', file: 'settings.json' }]
const denying = {
  type: 'command',
  command: 'cat > /dev/null; echo "No." >&2; exit 2',
}
const settings = (handler: object) => ({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [handler] }] },
})
const ran = 'it ran'

/** Its gate is one that nobody below can do anything about. */
function managed(handler: object): Promise<Project> {
  return withManaged({
    'hooks.json': JSON.stringify({ dialects }),
    'settings.json': JSON.stringify(settings(handler)),
  })
}

async function withManaged(
  files: Readonly<Record<string, string>>,
): Promise<Project> {
  const project = await openProject()
  const folder = join(dirname(project.root), 'managed')
  await mkdir(folder)
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text)
  }
  return project
}

const off = ['claude-code:PreToolUse', 'claude-code:approvals']

test('T04 a managed gate of another product stays on, and who tried to switch it off is audited', async () => {
  const project = await managed(denying)
  await project.writeUser('hooks.json', JSON.stringify({ disable: off }))
  const audited: unknown[] = []
  const set = await project.open({
    values: [{ disable: off }],
    onAudit: (entry) => audited.push(entry),
  })
  expect(await project.callTool('ls')).toContain('No.')
  const { problems } = set.state
  expect(problems.map((one) => 'code' in one && one.code)).toEqual(
    Array.from({ length: 4 }, () => 'managed-hook'),
  )
  expect(audited).toHaveLength(4)
})

test('T04 all hooks of a managed file of another product are managed', async () => {
  const project = await managed(denying)
  await project.writeUser('hooks.json', JSON.stringify({ disable: off }))
  let names: ReadonlySet<string> = new Set()
  await project.open({
    swap(set) {
      names = set.managed
    },
  })
  expect([...names]).toEqual(expect.arrayContaining(off))
})

test.each([
  ['is not there', undefined],
  ['is no JSON', '{"hooks": '],
  ['is a list', '[]'],
  ['is a text', '"hooks"'],
  ['is nothing', 'null'],
  ['has hooks in a list', '{"hooks": [{"PreToolUse": []}]}'],
  ['has a text for hooks', '{"hooks": "x"}'],
  ['has nothing for hooks', '{"hooks": null}'],
])(
  'F118 T04 without a managed file of another product that %s nothing starts, and what runs stays',
  async (_, text) => {
    const project = await managed(denying)
    const file = join(dirname(project.root), 'managed', 'settings.json')
    const set = await project.open()
    expect(await project.callTool('ls')).toContain('No.')
    if (text === undefined) await rm(file)
    else await writeFile(file, text)
    await set.reload()
    expect(set.state.refusal).toContain('settings.json')
    expect(await project.callTool('ls')).toContain('No.')
    await expect(project.open()).rejects.toThrow('would be missed')
  },
)

const codexDialect = (file: string) => [{ dialect: 'codex', file }]

test.each([
  ['config.toml', 'hooks = "x"'],
  ['config.toml', 'hooks = ["x"]'],
  ['config.toml', 'hooks = 2026-01-01'],
  ['config.toml', '[[hooks]]\nmatcher = "Bash"'],
  ['hooks.json', '{"hooks": []}'],
])(
  'F118 T04 without a managed "%s" of Codex whose hooks are no object (%j) nothing starts',
  async (name, text) => {
    const file = `codex-${name}`
    const layer = JSON.stringify({ dialects: codexDialect(file) })
    const project = await withManaged({ 'hooks.json': layer, [file]: text })
    await expect(project.open()).rejects.toThrow('would be missed')
  },
)

test.each([
  ['settings.json', '{}'],
  ['settings.json', '{"hooks": {}}'],
  ['config.toml', 'model = "x"'],
  ['config.toml', '[hooks]'],
])(
  'T04 a managed "%s" of another product that has no hooks (%j) misses none',
  async (file, text) => {
    const layer = JSON.stringify({
      dialects: file === 'config.toml' ? codexDialect(file) : dialects,
    })
    const project = await withManaged({ 'hooks.json': layer, [file]: text })
    const set = await project.open()
    expect(set.state.refusal).toBeUndefined()
    expect(await project.callTool('ls')).toContain(ran)
  },
)

test('a file of another product that is no object is told of, and of a user stops nothing', async () => {
  const project = await openProject()
  await project.writeUser('hooks.json', JSON.stringify({ dialects }))
  await project.writeUser('settings.json', '\n[]')
  const set = await project.open()
  expect(set.state.findings).toMatchObject([
    { code: 'not-an-object', severity: 'error', place: { line: 2 } },
  ])
  expect(await project.callTool('ls')).toContain(ran)
})

test('a gate of another product that is not managed is switched off by its name', async () => {
  const project = await openProject()
  const { writeUser, open, callTool } = project
  const file = JSON.stringify({ dialects, disable: off })
  await writeUser('hooks.json', file)
  await writeUser('settings.json', JSON.stringify(settings(denying)))
  await open()
  expect(await callTool('ls')).toContain(ran)
})

test.each([{ allowedHttpHookUrls: [] }, { httpHookAllowedEnvVars: [] }])(
  'T04 a managed gate that asks a server asks it, although a file of the user says %j',
  async (rules) => {
    const asked: unknown[] = []
    const server = createServer((request, response) => {
      asked.push(request.headers['x-home'])
      response.setHeader('content-type', 'application/json')
      response.end('{"decision":"block","reason":"No."}')
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const project = await managed({
      type: 'http',
      url: `http://127.0.0.1:${port}/judge`,
      headers: { 'x-home': '$PATH' },
      allowedEnvVars: ['PATH'],
    })
    await project.writeUser('hooks.json', JSON.stringify({ dialects }))
    await project.writeUser('settings.json', JSON.stringify(rules))
    const set = await project.open()
    expect(await project.callTool('ls')).toContain('No.')
    expect(asked).toEqual([process.env['PATH']])
    expect(set.state.findings).toEqual([])
  },
)

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compileTable, createEngine, defineHook, respond } from 'hookline'
import { permissionRequest } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { codesOf } from '../dialects/fixtures/hook-bench.ts'
import { inputFor } from '../dialects/fixtures/moments.ts'
import { openProject, type Project } from './fixtures/open-project.ts'
import { withinLayer } from './within-layer.ts'

const says = (document: object) => ({
  type: 'command',
  shell: `cat > /dev/null; echo '${JSON.stringify(document)}'`,
})
const asks = (name: string) => ({
  name,
  on: 'tool.guard',
  handler: says({ type: 'ask', question: `${name}?` }),
})
const agrees = (name: string) => ({
  name,
  on: 'permission.request',
  capabilities: ['approve'],
  handler: says({ type: 'respond', output: { type: 'allow' } }),
})
const dialects = [{ dialect: 'claude-code', file: 'settings.json' }]
const foreign = (event: string, specific: object) => {
  const hookSpecificOutput = { hookEventName: event, ...specific }
  const command = `cat > /dev/null; echo '${JSON.stringify({ hookSpecificOutput })}'`
  const hooks = [{ type: 'command', command }]
  return JSON.stringify({ hooks: { [event]: [{ hooks }] } })
}
const foreignAsk = foreign('PreToolUse', { permissionDecision: 'ask' })
const foreignYes = foreign('PermissionRequest', {
  decision: { behavior: 'allow' },
})

async function writeManaged({ root }: Project, name: string, text: string) {
  const folder = join(dirname(root), 'managed')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), text)
}

const ran = 'it ran'
const asked = 'A person would have to agree'

test('T16 what a managed hook asks is answered by no hook of another layer', async () => {
  const project = await openProject()
  const house = JSON.stringify({ hooks: [asks('house')] })
  await writeManaged(project, 'hooks.json', house)
  const mine = JSON.stringify({ hooks: [agrees('mine')] })
  await project.writeUser('hooks.json', mine)
  await project.open()
  expect(await project.callTool('ls')).toContain(asked)
})

test('T16 what a managed hook asks is answered by a managed one', async () => {
  const project = await openProject()
  const hooks = [asks('house'), agrees('answers')]
  await writeManaged(project, 'hooks.json', JSON.stringify({ hooks }))
  await project.open()
  expect(await project.callTool('ls')).toContain(ran)
})

test('what the hook of a user asks, another one of his answers', async () => {
  const project = await openProject()
  const hooks = [asks('mine'), agrees('answers')]
  await project.writeUser('hooks.json', JSON.stringify({ hooks }))
  await project.open()
  expect(await project.callTool('ls')).toContain(ran)
})

test('T16 a hook of another product that allows answers no question of a managed hook', async () => {
  const project = await openProject()
  const house = JSON.stringify({ hooks: [asks('house')] })
  await writeManaged(project, 'hooks.json', house)
  await project.writeUser('hooks.json', JSON.stringify({ dialects }))
  await project.writeUser('settings.json', foreignYes)
  await project.open()
  expect(await project.callTool('ls')).toContain(asked)
})

test('T16 so does one of the same product that is not managed', async () => {
  const project = await openProject()
  const named = JSON.stringify({ dialects })
  await writeManaged(project, 'hooks.json', named)
  await writeManaged(project, 'settings.json', foreignAsk)
  await project.writeUser('hooks.json', named)
  await project.writeUser('settings.json', foreignYes)
  await project.open()
  expect(await project.callTool('ls')).toContain(asked)
})

test('what a hook of another product asks, another one of it answers', async () => {
  const project = await openProject()
  const file = { dialect: 'claude-code', file: 'more.json' }
  const both = JSON.stringify({ dialects: [...dialects, file] })
  await project.writeUser('hooks.json', both)
  await project.writeUser('settings.json', foreignAsk)
  await project.writeUser('more.json', foreignYes)
  await project.open()
  expect(await project.callTool('ls')).toContain(ran)
})

test.each([
  ['house', 'proceed', ['not-honoured']],
  ['mine', 'respond', []],
])(
  'T16 that an allow of a lower layer does not answer %s is on record',
  async (by, type, codes) => {
    const agrees = defineHook({
      name: 'agrees',
      on: permissionRequest,
      capabilities: ['approve'],
      run: () => respond({ type: 'allow' }),
    })
    const hook = withinLayer(agrees, new Set(['house']))
    const engine = createEngine(compileTable([hook]))
    const input = {
      ...Object(inputFor('permission.request', '', { cwd: '/' })),
      questions: [{ by, question: 'May it?' }],
    }
    const origin = 'user' as const
    const scope = { agent: 'main', origin, coreType: 'step' }
    const outcome = await engine.run(permissionRequest, input, { scope })
    expect([outcome.type, codesOf(outcome)]).toEqual([type, codes])
  },
)

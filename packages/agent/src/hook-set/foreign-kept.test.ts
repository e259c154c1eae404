import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openProject, type Project } from './fixtures/open-project.ts'
import type { openHooks } from './open-hooks.ts'

const dialects = [{ dialect: 'claude-code', file: 'settings.json' }]
const named = JSON.stringify({ dialects })
const settings = (word: string) =>
  JSON.stringify({
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            {
              type: 'command',
              command: `cat > /dev/null; echo ${word} >&2; exit 2`,
            },
          ],
        },
      ],
    },
  })
const ran = 'it ran'

/** The user's own, with a gate in the file of another product. */
async function gated() {
  const project = await openProject()
  await project.writeUser('hooks.json', named)
  const file = await project.writeUser('settings.json', settings('first'))
  return { project, file }
}

const broken: readonly [string, (file: string) => Promise<unknown>][] = [
  ['lacks a comma', (file) => writeFile(file, '{"hooks": {} "a": 1}')],
  ['is half written', (file) => writeFile(file, '{"hooks": ')],
  ['is empty', (file) => writeFile(file, '')],
  ['is a list', (file) => writeFile(file, '[]')],
  ['has hooks in a list', (file) => writeFile(file, '{"hooks": []}')],
  ['is too large', (file) => writeFile(file, 'x'.repeat(1_100_000))],
  ['has gone', (file) => rm(file)],
  ['is a folder', (file) => rm(file).then(() => mkdir(file))],
]

test.each(broken)(
  'F117 F118 while a file of another product %s, what it said before stays in force, and it is told',
  async (_, change) => {
    const { project, file } = await gated()
    const set = await project.open()
    expect(set.state.keptFiles).toEqual([])
    await change(file)
    const { findings, keptFiles, refusal } = await set.reload()
    expect(await project.callTool('ls')).toContain('first')
    expect(keptFiles).toEqual([file])
    expect(findings).not.toEqual([])
    for (const finding of findings) {
      expect(finding).toMatchObject({ file, severity: 'error' })
      expect(finding.message).toContain('before stays in force')
    }
    // Everything else that changes gets in meanwhile.
    expect(refusal).toBeUndefined()
    await set.reload()
    expect(await project.callTool('ls')).toContain('first')
    await rm(file, { recursive: true, force: true })
    await writeFile(file, settings('second'))
    expect(await set.reload()).toMatchObject({ keptFiles: [], findings: [] })
    expect(await project.callTool('ls')).toContain('second')
  },
)

test('F118 an editor that moves a file of another product away for a moment drops no gate', async () => {
  const { project, file } = await gated()
  const set = await project.open()
  await rename(file, `${file}~`)
  await set.reload()
  expect(await project.callTool('ls')).toContain('first')
  await rename(`${file}~`, file)
  expect(await set.reload()).toMatchObject({ keptFiles: [], findings: [] })
  expect(await project.callTool('ls')).toContain('first')
})

test('F117 of a file of another product that was never right nothing runs, and it is told', async () => {
  const { project, file } = await gated()
  await writeFile(file, '{"hooks": ')
  const set = await project.open()
  const { keptFiles, findings } = set.state
  expect(keptFiles).toEqual([])
  expect(findings[0]).toMatchObject({ file, severity: 'error' })
  expect(await project.callTool('ls')).toContain(ran)
})

test('a file of another product that is named no more is let go of', async () => {
  const { project, file } = await gated()
  const set = await project.open()
  await project.writeUser('hooks.json', '{}')
  await rm(file)
  expect(await set.reload()).toMatchObject({ keptFiles: [], findings: [] })
  expect(await project.callTool('ls')).toContain(ran)
  await project.writeUser('hooks.json', named)
  expect(await set.reload()).toMatchObject({ keptFiles: [] })
  expect(await project.callTool('ls')).toContain(ran)
})

test('what a table that was refused says is not what stays in force', async () => {
  const { project, file } = await gated()
  const handler = { type: 'command', argv: ['true'] }
  const cycle = ['one', 'two'].map((name, index) => ({
    ...{ name, on: 'tool.guard', handler },
    after: [['two', 'one'][index]],
  }))
  const set = await project.open()
  await writeFile(file, settings('second'))
  await project.writeUser(
    'hooks.json',
    JSON.stringify({ dialects, hooks: cycle }),
  )
  expect((await set.reload()).refusal).toBeDefined()
  await rm(file)
  await project.writeUser('hooks.json', named)
  expect((await set.reload()).keptFiles).toEqual([file])
  expect(await project.callTool('ls')).toContain('first')
})

async function trusted(): Promise<{
  readonly project: Project
  readonly set: Awaited<ReturnType<typeof openHooks>>
  readonly file: string
}> {
  const project = await openProject()
  await project.write('.hookline/hooks.json', named)
  const file = await project.write('.hookline/settings.json', settings('first'))
  const set = await project.open()
  await set.accept(set.state.untrusted.map(({ hash }) => hash))
  return { project, set, file }
}

test('F117 T06 what a trusted project said before stays in force, and trusted, while its file is broken', async () => {
  const { project, set, file } = await trusted()
  await writeFile(file, '{"hooks": ')
  const { untrusted, keptFiles } = await set.reload()
  expect({ untrusted, keptFiles }).toEqual({ untrusted: [], keptFiles: [file] })
  expect(await project.callTool('ls')).toContain('first')
})

test("T06 what a project said before stays a stranger's where nobody trusts it", async () => {
  const project = await openProject()
  await project.write('.hookline/hooks.json', named)
  const file = await project.write('.hookline/settings.json', settings('first'))
  const set = await project.open()
  await writeFile(file, '{"hooks": ')
  expect((await set.reload()).untrusted).toHaveLength(1)
  expect(await project.callTool('ls')).toContain(ran)
})

test('F118 of a file of a project that leads out of it by now, what it said within stays in force', async () => {
  const { project, set, file } = await trusted()
  const outside = join(project.root, '..', 'outside')
  await mkdir(outside)
  await rm(file)
  await writeFile(join(outside, 'settings.json'), settings('second'))
  await symlink(join(outside, 'settings.json'), file)
  expect((await set.reload()).keptFiles).toEqual([file])
  expect(await project.callTool('ls')).toContain('first')
})

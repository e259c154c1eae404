import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openProject } from './fixtures/open-project.ts'
import type { HooksState } from './hooks-state.ts'

const dialects = 'dialects:\n  - {dialect: claude-code, file: settings.json}\n'
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

/** Hooks of the user's own, and when they are next put in place. */
async function follow() {
  const project = await openProject()
  await project.writeUser('hooks.yaml', dialects)
  let tell: (state: HooksState) => void = () => {}
  let loads = 0
  const onChange = (state: HooksState) => {
    loads++
    tell(state)
  }
  /** Does something, and waits until it is so. */
  const after = async (
    change: () => Promise<unknown>,
    isSo: (state: HooksState) => boolean = () => true,
  ) => {
    const changed = new Promise<void>((resolve) => {
      tell = (state) => {
        if (isSo(state)) resolve()
      }
    })
    await change()
    await changed
  }
  return { ...project, onChange, after, loads: () => loads }
}

test('F117 a hook file of another product that changes is loaded, without being told to', async () => {
  const { writeUser, open, callTool, onChange, after } = await follow()
  await writeUser('settings.json', settings('first'))
  await open({ onChange })
  expect(await callTool('ls')).toContain('first')
  await after(() => writeUser('settings.json', settings('second')))
  expect(await callTool('ls')).toContain('second')
})

test('F117 one that is put in place of another, or comes later, is loaded as well', async () => {
  const { writeUser, open, callTool, onChange, after } = await follow()
  await open({ onChange })
  expect(await callTool('ls')).toContain(ran)
  await after(() => writeUser('settings.json', settings('came')))
  expect(await callTool('ls')).toContain('came')
  const other = await writeUser('other.json', settings('replaced'))
  await after(() => rename(other, other.replace('other', 'settings')))
  expect(await callTool('ls')).toContain('replaced')
})

test('F118 one that has gone or is broken is reported at once', async () => {
  const { writeUser, open, onChange, after } = await follow()
  const file = await writeUser('settings.json', settings('first'))
  await open({ onChange })
  const says = (code: string) => (state: HooksState) =>
    state.findings.some((finding) => finding.code === code)
  await after(() => rm(file), says('unreadable-file'))
  await after(
    () => writeUser('settings.json', '{"hooks": '),
    ({ findings }) => findings.some(({ severity }) => severity === 'error'),
  )
})

test('F126 the same bytes once more are no change', async () => {
  const { root, writeUser, open, onChange, after, loads } = await follow()
  await writeUser('settings.json', settings('first'))
  const hooks = await open({ onChange })
  await writeUser('settings.json', settings('first'))
  await mkdir(join(root, 'elsewhere'))
  expect(loads()).toBe(1)
  await after(() => writeUser('settings.json', settings('second')))
  expect(loads()).toBe(2)
  await hooks.close()
})

test('T06 one of a project that changes does not run until it is trusted again', async () => {
  const { write, open, callTool, onChange, after } = await follow()
  await write('.hookline/hooks.yaml', dialects)
  await write('.hookline/settings.json', settings('first'))
  const hooks = await open({ onChange })
  await hooks.accept(hooks.state.untrusted.map(({ hash }) => hash))
  expect(await callTool('ls')).toContain('first')
  await after(() => write('.hookline/settings.json', settings('second')))
  expect(await callTool('ls')).toContain('has changed since it was trusted')
})

import { expect, test, vi } from 'vitest'
import {
  admin,
  agent,
  longMs,
  openWorld,
  runner,
} from '../fixtures/open-world.ts'
import { ask } from '../fixtures/strict-output.ts'

vi.setConfig({ testTimeout: longMs })

const files = {
  'user/hooks.yaml': `hooks:
  - name: base
    on: tool.guard
    handler: {type: command, shell: 'exit 0'}
  - name: judge
    on: tool.guard
    needs: [base]
    handler: {type: command, shell: 'echo "No." >&2; exit 2'}
  - name: last
    on: tool.guard
    after: [judge]
    handler: {type: command, shell: 'exit 0'}
`,
  'managed/hooks.yaml': `hooks:
  - name: must
    on: tool.pre_call
    handler: {type: command, shell: 'exit 0'}
`,
}

const names = ({ steps }: { steps: readonly { name: string }[] }) =>
  steps.map(({ name }) => name)

test('what a switch would change is shown, and nothing changes', async () => {
  const { operations, workspace, callTool } = await openWorld({ files })
  const change = { name: 'last', isEnabled: false, agent }
  const preview = await ask(operations, 'previewHook', change, runner)
  expect(names(preview.before)).toEqual(['base', 'judge', 'last'])
  expect(names(preview.after)).toEqual(['base', 'judge'])
  const mode = { name: 'judge', mode: 'evaluate' } as const
  const other = await ask(operations, 'previewHook', mode, runner)
  const modes = ({ steps }: typeof other.before) => steps.map((one) => one.mode)
  expect(modes(other.before)).toEqual(['enforce', 'enforce', 'enforce'])
  expect(modes(other.after)).toEqual(['enforce', 'evaluate', 'enforce'])
  expect(workspace.switches.state.hooks).toEqual([])
  expect(await callTool({})).toContain('No.')
  await ask(operations, 'setHook', mode, admin)
  expect(await callTool({})).toContain('it ran')
  const about = { agent, point: 'tool.guard' }
  const plan = await ask(operations, 'explainHooks', about, runner)
  expect(plan.steps).toEqual(other.after.steps)
})

test.each([
  [{ name: 'base', isEnabled: false }, 'conflict', /"judge"/],
  [{ name: 'must', isEnabled: false }, 'not-allowed', /managed/],
  [{ name: 'must', mode: 'evaluate' }, 'not-allowed', /managed/],
  [{ name: 'nobody', isEnabled: false }, 'not-found', /no hook "nobody"/],
  [{ name: 'base' }, 'bad-request', /Nothing is said/],
] as const)(
  'what cannot be switched is refused before: %j',
  async (change, code, message) => {
    const { operations } = await openWorld({ files })
    const refused = ask(operations, 'previewHook', change, admin)
    await expect(refused).rejects.toMatchObject({ code })
    await expect(refused).rejects.toThrow(message)
  },
)

test('a plan says in which lanes its hooks run, and what ties them', async () => {
  const { operations } = await openWorld({ files })
  const about = { agent, point: 'tool.guard' }
  const { steps, ties } = await ask(operations, 'explainHooks', about, runner)
  expect(steps.every(({ isObserver }) => !isObserver)).toBe(true)
  const lanes = steps.map(({ lane }) => lane)
  expect(lanes).toEqual([...lanes].sort((one, other) => one - other))
  expect(ties).toEqual([
    { from: 'base', to: 'judge', kind: 'needs' },
    { from: 'judge', to: 'last', kind: 'after' },
  ])
})

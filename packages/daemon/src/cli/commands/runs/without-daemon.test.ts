import { expect, test } from 'vitest'
import { stageForEach } from '../../fixtures/stage.ts'

const stage = stageForEach()

const config = `
policy: { mode: open }
hooks:
  - name: no-push
    on: tool.pre_call
    match: { tool: shell }
    handler: { type: command, shell: 'echo "Do not push." >&2; exit 2' }
`
const script = `
- calls: [{ id: pushed, tool: shell, args: { command: git push } }]
- text: Well then.
`

test('what is on record is read where no daemon runs, and nothing is added to it', async () => {
  stage.project.configure(config)
  stage.project.script(script)
  const before = await stage.ask('runs')
  expect(before.code).not.toBe(0)
  expect(before.stderr).toContain('No daemon has run here yet.')
  await stage.cli('run', 'Push it.')
  const { items } = await stage.asJson('runs')
  const [run] = items.filter(({ hook }: { hook: string }) => hook === 'no-push')
  expect(run).toMatchObject({ point: 'tool.pre_call', answer: 'reject' })
  const shown = await stage.ask('runs', 'show', run.id)
  expect(shown.stdout).toContain('yes, this ended the dispatch')
  const why = await stage.ask('runs', 'why', 'pushed')
  expect(why).toMatchObject({ code: 0 })
  expect(why.stdout).toContain('no-push')
  const unknown = await stage.ask('runs', 'show', 'nobody/none')
  expect(unknown.code).toBe(5)
  const registered = ['runs', '--point', 'agent.register', '--limit', '500']
  const count = async () => (await stage.asJson(...registered)).items.length
  expect(await count()).toBe(await count())
})

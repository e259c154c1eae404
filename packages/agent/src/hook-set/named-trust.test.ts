import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openProject } from './fixtures/open-project.ts'

const hooksFile = `hooks:
  - name: guard
    on: tool.guard
    handler: {type: command, argv: [bash, ./guard.sh]}
`
const guard = 'cat > /dev/null; echo "No." >&2; exit 2\n'
const ran = 'it ran'

test('T02 a typing error in HOOKLINE_TRUST is reported, and changes nothing else', async () => {
  const { root, write, open, callTool } = await openProject()
  await write('.hookline/hooks.yaml', hooksFile)
  await write('guard.sh', guard)
  const folder = join(root, '..', 'state')
  const environment = { HOOKLINE_TRUST: 'all, 12ab' }
  const { state } = await open({ trust: { folder, environment } })
  const messages = state.problems.map(({ message }) => message)
  expect(messages).toEqual([
    expect.stringContaining('"all" is no hash'),
    expect.stringContaining('"12ab" is no hash'),
  ])
  expect(state.refusal).toBeUndefined()
  // Nobody ever trusted it: there is no gate that is missed.
  expect(await callTool('ls')).toContain(ran)
})

test('F128 a trust store that cannot be read still has gates refuse', async () => {
  const { root, write, open, callTool } = await openProject()
  await write('.hookline/hooks.yaml', hooksFile)
  await write('guard.sh', guard)
  const folder = join(root, 'state')
  const { state } = await open({ trust: { folder, environment: {} } })
  expect(state.problems).toMatchObject([
    { message: expect.stringContaining('within the project') },
  ])
  expect(await callTool('ls')).toContain('hook_error')
})

import { expect, test } from 'vitest'
import { createMemoryPins } from './pins.ts'
import { ToolApproval } from './tool-approval.ts'
import type { ListedTool } from './tool-listing.ts'

const server = { name: 'odd', key: 'odd@1' }

function listed(name: string, hash = 'a'): ListedTool {
  const inputSchema = { type: 'object' }
  return { name, description: '', inputSchema, annotations: {}, hash }
}

/** One that has seen a server with one tool. */
async function opened() {
  const told: string[] = []
  const approval = new ToolApproval({
    pins: createMemoryPins(),
    newTools: 'withhold',
    onChange: ({ tool, kind }) => told.push(`${kind} ${tool}`),
  })
  await approval.judge(server, [listed('echo')])
  const awaiting = () => approval.changes.map(({ tool }) => tool)
  return { approval, awaiting, told }
}

test('of a server that renames what is withheld only what it has now awaits an approval', async () => {
  const { approval, awaiting } = await opened()
  for (let at = 0; at < 20; at++) {
    await approval.judge(server, [listed('echo'), listed(`new-${at}`)])
    expect(awaiting()).toEqual([`new-${at}`])
  }
})

test('a tool that its server no longer has is not approved, and not pinned', async () => {
  const { approval, awaiting, told } = await opened()
  await approval.judge(server, [listed('echo'), listed('new')])
  await approval.judge(server, [listed('echo')])
  const seen = { server: 'odd', tool: 'new', hash: 'a' }
  expect(await approval.approve(server, seen)).toBe(false)
  await approval.judge(server, [listed('echo'), listed('new')])
  expect(awaiting()).toEqual(['new'])
  expect(told).toEqual(['added new', 'added new'])
})

test('a tool that was changed, and then taken away, does not come back as approved', async () => {
  const { approval, awaiting } = await opened()
  await approval.judge(server, [listed('echo', 'b')])
  await approval.judge(server, [])
  expect(awaiting()).toEqual([])
  const judged = await approval.judge(server, [listed('echo', 'b')])
  expect(judged.usable).toEqual([])
  expect(awaiting()).toEqual(['echo'])
})

test('what one server has no longer is still awaited of another one', async () => {
  const { approval } = await opened()
  const other = { name: 'other', key: 'other@1' }
  await approval.judge(other, [])
  await approval.judge(other, [listed('new')])
  await approval.judge(server, [])
  expect(approval.changes).toMatchObject([{ server: 'other', tool: 'new' }])
})

test('nothing is awaited of servers that nobody may use any more', async () => {
  const { approval, awaiting } = await opened()
  await approval.judge(server, [listed('new')])
  approval.forget((name) => name !== 'other')
  expect(awaiting()).toEqual(['new'])
  approval.forget((name) => name !== 'odd')
  expect(awaiting()).toEqual([])
  const seen = { server: 'odd', tool: 'new', hash: 'a' }
  expect(await approval.approve(server, seen)).toBe(false)
})

import { expect, test } from 'vitest'
import { makePlace } from '../fixtures/place.ts'

const file = 'user/hookline.config.yaml'

test('what an agent may use is named, or fits a pattern', async () => {
  const place = await makePlace()
  const lists = {
    tools: ['read', 'mcp__docs__*'],
    skills: ['write-?'],
    mcpServers: ['{docs,code}'],
    subagents: ['reader-*'],
  }
  const agent = { name: 'main', model: 'test/good', ...lists }
  await place.write(file, JSON.stringify({ agents: [agent] }))
  const workspace = await place.open()
  expect(workspace.runtime.agents[0]).toMatchObject(lists)
})

test.each(['a b', '{docs', '', 'x'.repeat(129)])(
  'what is neither, such as %j, is told with its place',
  async (pattern) => {
    const place = await makePlace()
    const agent = { name: 'main', model: 'test/good', tools: [pattern] }
    await place.write(file, JSON.stringify({ agents: [agent] }))
    await expect(place.open()).rejects.toThrow(/config\.yaml:1:56: /)
  },
)

import { expect, test } from 'vitest'
import type { Contributed } from '../../engine/index.ts'
import { mergeTools } from './merge-tools.ts'
import type { ToolBundle } from './tool-bundle.ts'

function by(hook: string, ...names: string[]): Contributed<ToolBundle> {
  const tools = names.map((name) => ({
    name,
    description: 'A secret tool.',
    inputSchema: { type: 'object' },
    safety: 'read_only' as const,
    dispatch: () => ({ content: [], isError: false as const }),
  }))
  return { by: hook, kind: 'tools', value: { tools } }
}

test('every tool has the hook that brought it as its owner', () => {
  const merged = mergeTools([by('a', 'recall', 'forget'), by('b', 'search')])
  if (merged.type !== 'merged') throw new Error('The names are distinct.')
  expect(merged.tools.map(({ name, owner }) => [name, owner])).toEqual([
    ['recall', 'a'],
    ['forget', 'a'],
    ['search', 'b'],
  ])
})

test('a merged tool can no longer be changed, and keeps its own dispatch', () => {
  const given = by('a', 'recall')
  const merged = mergeTools([given])
  if (merged.type !== 'merged') throw new Error('There is one tool.')
  const [tool] = merged.tools
  expect(Object.isFrozen(tool)).toBe(true)
  expect(Object.isFrozen(tool?.inputSchema)).toBe(true)
  expect(tool?.dispatch).toBe(given.value.tools[0]?.dispatch)
})

test('two hooks with one tool name are an error that names both', () => {
  const merged = mergeTools([by('a', 'x', 'y'), by('b', 'y'), by('c', 'y')])
  expect(merged).toEqual({
    type: 'collision',
    collisions: [
      { tool: 'y', owner: 'a', hook: 'b' },
      { tool: 'y', owner: 'a', hook: 'c' },
    ],
    diagnostics: [
      {
        code: 'tools.collision',
        hook: 'b',
        message:
          'Hook "b" brings a tool "y", which "a" already has; rename one.',
      },
      {
        code: 'tools.collision',
        hook: 'c',
        message:
          'Hook "c" brings a tool "y", which "a" already has; rename one.',
      },
    ],
  })
})

test('a hook collides with itself, and with tools that are taken', () => {
  expect(mergeTools([by('a', 'x', 'x')])).toMatchObject({
    collisions: [{ tool: 'x', owner: 'a', hook: 'a' }],
  })
  const taken = [{ name: 'bash', owner: 'os' }]
  expect(mergeTools([by('a', 'bash')], taken)).toMatchObject({
    collisions: [{ tool: 'bash', owner: 'os', hook: 'a' }],
  })
})

test('no bundle is no tool', () => {
  const none = { type: 'merged', tools: [], diagnostics: [] }
  expect(mergeTools([])).toEqual(none)
  expect(mergeTools([by('a')])).toEqual(none)
})

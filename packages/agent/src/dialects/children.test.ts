import type { AgentScope } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { Children } from './children.ts'
import { scope } from './fixtures/inputs.ts'

const parent: AgentScope = { ...scope, sessionId: 'root', turnId: 't-1' }
const child = (sessionId: string): AgentScope => ({
  ...{ agent: 'reviewer', origin: 'subagent', coreType: 'steps', sessionId },
  parents: ['helper'],
})
const asked = (task: string) => ({ parent: 'helper', child: 'reviewer', task })
const stopped = (task: string) => ({
  ...asked(task),
  status: 'succeeded' as const,
  reply: [],
  continuesSoFar: 0,
})

describe('of those that work for a session', () => {
  test('one that nobody has begun is no other, and knows the root', () => {
    const children = new Children()
    children.begin(asked('one'), { ...parent, sessionId: 'other' })
    children.enter(child('c'), 'root')
    children.bind(child('c'), 'one')
    expect(children.childOf('c')).toBeUndefined()
    expect(children.rootOf('c')).toBe('root')
  })

  test('one whose root is not known has no session but its own', () => {
    const children = new Children()
    children.begin(asked('one'), parent)
    children.enter(child('c'), '')
    children.bind(child('c'), 'one')
    expect(children.childOf('c')).toBeUndefined()
    expect(children.rootOf('c')).toBe('c')
  })

  test('one that was refused is forgotten when the turn ends', () => {
    const children = new Children()
    children.begin(asked('one'), parent)
    children.endTurn(parent)
    children.enter(child('c'), 'root')
    children.bind(child('c'), 'one')
    expect(children.childOf('c')).toBeUndefined()
  })

  test('one that begins in the background has its task after the turn', () => {
    const children = new Children()
    const input = asked('one')
    children.begin(input, parent)
    children.enter(child('c'), 'root')
    children.endTurn(parent)
    children.bind(child('c'), 'one')
    const known = children.begunBy(input)
    expect(known).toBeDefined()
    expect(children.childOf('c')).toBe(known)
    // Nobody waits for it in the turn that it was begun in.
    const { turnId: _, ...outside } = parent
    expect(children.handingOver(stopped('one'), outside)).toBe(known)
    children.endSession('c')
    expect(children.handingOver(stopped('one'), outside)).toBeUndefined()
  })

  test('one that has no task yet is forgotten when the session ends', () => {
    const children = new Children()
    children.begin(asked('one'), parent)
    children.enter(child('c'), 'root')
    children.endSession('root')
    expect(children.rootOf('c')).toBe('c')
    children.enter(child('c'), 'root')
    children.bind(child('c'), 'one')
    expect(children.childOf('c')).toBeUndefined()
  })

  test('one that works for a sub-agent has the session at the top', () => {
    const children = new Children()
    children.begin(asked('one'), parent)
    children.enter(child('c'), 'root')
    children.bind(child('c'), 'one')
    const inner = asked('two')
    children.begin(inner, child('c'))
    children.enter(child('d'), 'root')
    children.bind(child('d'), 'two')
    expect(children.rootOf('d')).toBe('root')
    expect(children.childOf('d')).toBe(children.begunBy(inner))
  })
})

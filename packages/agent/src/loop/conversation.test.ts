import type { Message, UserContent } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { brief } from '../runtime/fixtures/paired.ts'
import { Conversation } from './conversation.ts'

function text(words: string) {
  return { type: 'text', text: words } as const
}

function said(words: string): UserContent {
  return [text(words)]
}

function model(words: string): Message {
  return { role: 'assistant', content: said(words) }
}

function user(words: string): Message {
  return { role: 'user', content: said(words) }
}

const usage = { inputTokens: 100, outputTokens: 10 }

/** Commits, and says what that added. */
function commit(conversation: Conversation) {
  const { pending } = conversation
  conversation.commit()
  return pending
}

describe('what the user says', () => {
  test('joins a user message that is still open', () => {
    const conversation = new Conversation()
    conversation.addUser(said('a'))
    conversation.addUser(said('b'))
    expect(brief(conversation.shown)).toEqual(['user: a | b'])
  })

  test('does not change a message that is committed', () => {
    const conversation = new Conversation([user('a')])
    conversation.addUser(said('b'))
    expect(conversation.history).toEqual([user('a')])
  })

  test('can be shown with more than is kept', () => {
    const conversation = new Conversation()
    conversation.addUser(said('a'), [text('today')])
    conversation.add(model('b'))
    expect(brief(conversation.shown)[0]).toBe('user: today | a')
    expect(brief(commit(conversation))).toEqual(['user: a', 'assistant: b'])
    conversation.endTurn()
    expect(brief(conversation.shown)).toEqual(['user: a', 'assistant: b'])
  })

  test('can be preceded by what stays and what does not', () => {
    const conversation = new Conversation()
    conversation.addUser(said('a'))
    conversation.prependUser(said('kept'), [text('passing')])
    expect(brief(conversation.shown)).toEqual(['user: kept | passing | a'])
    conversation.commit()
    expect(brief(conversation.history)).toEqual(['user: kept | a'])
  })

  test('that is only shown is forgotten at the end of the turn', () => {
    const conversation = new Conversation([user('a'), model('b')])
    conversation.addUser([], [text('passing')])
    conversation.add(model('c'))
    conversation.commit()
    expect(brief(conversation.shown)).toHaveLength(4)
    conversation.endTurn()
    expect(brief(conversation.shown)).toEqual([
      ...['user: a', 'assistant: b', 'assistant: c'],
    ])
  })
})

describe('a commit', () => {
  test('gives what is new since the last one', () => {
    const conversation = new Conversation()
    conversation.addUser(said('a'))
    conversation.add(model('b'))
    expect(commit(conversation)).toHaveLength(2)
    conversation.addUser(said('c'))
    expect(brief(commit(conversation))).toEqual(['user: c'])
    expect(commit(conversation)).toEqual([])
  })

  test('is what a roll-back goes back to', () => {
    const conversation = new Conversation()
    conversation.addUser(said('a'))
    conversation.commit()
    conversation.add(model('b'))
    conversation.rollBack()
    expect(brief(conversation.shown)).toEqual(['user: a'])
    expect(brief(conversation.history)).toEqual(['user: a'])
  })

  test('comes after the last message may still be replaced', () => {
    const conversation = new Conversation()
    conversation.addUser(said('a'))
    conversation.add(model('b'))
    conversation.replaceLast(model('c'))
    expect(brief(commit(conversation))).toEqual(['user: a', 'assistant: c'])
  })
})

test('messages cannot be changed once they are added', () => {
  const conversation = new Conversation()
  conversation.addUser(said('a'))
  conversation.add(model('b'))
  expect(conversation.shown.every(Object.isFrozen)).toBe(true)
})

describe('how much of the context is used', () => {
  test('is what a model has counted, and a guess of what came since', () => {
    const conversation = new Conversation()
    conversation.addUser(said('a'))
    conversation.noteUsage(usage)
    conversation.add(model('b'))
    expect(conversation.usedTokens).toBe(110)
    conversation.addUser(said('x'.repeat(400)))
    expect(conversation.usedTokens).toBeGreaterThanOrEqual(210)
  })

  test('is a guess as long as no model has counted', () => {
    const conversation = new Conversation([user('x'.repeat(400))])
    expect(conversation.usedTokens).toBeGreaterThanOrEqual(100)
    expect(conversation.usedTokens).toBeLessThan(200)
  })

  test('is less after what was dropped is gone', () => {
    const conversation = new Conversation()
    conversation.addUser(said('x'.repeat(4_000)))
    conversation.noteUsage({ inputTokens: 1_000, outputTokens: 1_000 })
    conversation.add(model('y'))
    conversation.rollBack()
    expect(conversation.usedTokens).toBeLessThan(1_000)
  })

  test('is less after a compaction', () => {
    const conversation = new Conversation([
      user('x'.repeat(4_000)),
      model('b'),
      user('c'),
      model('d'),
    ])
    conversation.compact(2, user('sum'))
    expect(conversation.usedTokens).toBeLessThan(100)
  })
})

describe('a compaction', () => {
  test('says how many of the removed messages history had', () => {
    const conversation = new Conversation([user('a'), model('b')])
    conversation.addUser([], [text('passing')])
    conversation.add(model('c'))
    conversation.commit()
    expect(conversation.keptAmong(3)).toBe(2)
    conversation.compact(3, user('sum'))
    expect(brief(conversation.history)).toEqual(['user: sum', 'assistant: c'])
  })

  test('within a turn leaves what is not committed', () => {
    const conversation = new Conversation([user('a'), model('b')])
    conversation.addUser(said('c'))
    conversation.compact(2, user('sum'))
    conversation.rollBack()
    expect(brief(conversation.shown)).toEqual(['user: sum'])
  })
})

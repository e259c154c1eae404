import type { Message, SealedCall } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { JournalEntry, SessionInfo, TurnEnded } from '../index.ts'
import { createMemoryStore } from '../index.ts'

const info: SessionInfo = { id: 'one', agent: 'main', cwd: '', createdAt: 7 }

const call: SealedCall = {
  id: 'call-1',
  tool: 'read',
  owner: 'runtime',
  args: {},
  safety: 'read_only',
  grant: {
    decision: 'allow',
    sandbox: 'workspace',
    roots: ['.'],
    network: 'none',
    timeoutMs: 1,
    maxOutputBytes: 1,
  },
  definitionHash: 'hash',
  seal: 'seal',
}

function said(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function replied(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }] }
}

function commit(...messages: readonly Message[]): JournalEntry {
  return { type: 'step-commit', turnId: 't', messages }
}

function sealed(turnId: string): JournalEntry {
  const verdicts = [] as const
  return { type: 'call-seal', turnId, call, verdicts, isUngated: true }
}

function callEnd(turnId: string): JournalEntry {
  const result = { content: [], isError: false } as const
  const ended = { call, result, status: 'executed', elapsedMs: 0 } as const
  return { type: 'call-end', turnId, ended }
}

function turnEnd(turnId: string, inputId?: string): TurnEnded {
  return {
    type: 'turn-end',
    turnId,
    status: 'succeeded',
    summary: {
      turnId,
      model: 'script',
      userPreview: '',
      replyPreview: '',
      tools: [],
      toolCount: 0,
      steps: 1,
      usage: { inputTokens: 0, outputTokens: 0 },
      startedAt: 0,
      elapsedMs: 0,
    },
    ...(inputId !== undefined && { inputId }),
  }
}

/** What a session comes to when these entries were written. */
async function loadAfter(...entries: readonly JournalEntry[]) {
  const store = createMemoryStore()
  await store.create(info)
  await store.append('one', entries)
  const loaded = await store.load('one')
  if (loaded === undefined) throw new Error('The session is gone.')
  return loaded
}

test('a new session has nothing', async () => {
  expect(await loadAfter()).toEqual({
    info,
    messages: [],
    turns: 0,
    isEnded: false,
    inputs: new Map(),
    openCalls: [],
  })
})

test('a session that nobody has made is not there', async () => {
  expect(await createMemoryStore().load('one')).toBeUndefined()
})

test('a session is made once', async () => {
  const store = createMemoryStore()
  await store.create(info)
  await expect(async () => store.create(info)).rejects.toMatchObject({
    code: 'session-exists',
  })
})

test('nothing is written to a session that is not there', async () => {
  const append = async () => createMemoryStore().append('one', [])
  await expect(append).rejects.toMatchObject({ code: 'unknown-session' })
})

test('a session that was deleted is gone, and its id is free', async () => {
  const store = createMemoryStore()
  await store.create(info)
  await store.append('one', [commit(said('a'))])
  await store.delete('one')
  expect(await store.load('one')).toBeUndefined()
  await store.create(info)
  expect((await store.load('one'))?.messages).toEqual([])
})

test('committed messages follow each other', async () => {
  const { messages } = await loadAfter(
    commit(said('a'), replied('b')),
    commit(said('c')),
  )
  expect(messages).toEqual([said('a'), replied('b'), said('c')])
})

test('what the user says twice in a row is one message', async () => {
  const { messages } = await loadAfter(commit(said('a')), commit(said('b')))
  expect(messages.map(({ content }) => content)).toEqual([
    [...said('a').content, ...said('b').content],
  ])
})

test('a compaction puts one message in the place of the oldest', async () => {
  const { messages } = await loadAfter(
    commit(said('a'), replied('b'), said('c'), replied('d')),
    { type: 'compaction', removedCount: 3, replacement: said('abc') },
    commit(said('e')),
  )
  expect(messages).toEqual([said('abc'), replied('d'), said('e')])
})

test('turns are counted as they are numbered', async () => {
  const start = (turn: number): JournalEntry => {
    return { type: 'turn-start', turnId: `t${turn}`, turn }
  }
  expect((await loadAfter(start(1), start(2))).turns).toBe(2)
})

test('a call is open from its seal to its end', async () => {
  expect((await loadAfter(sealed('t'))).openCalls).toEqual([call])
  expect((await loadAfter(sealed('t'), callEnd('t'))).openCalls).toEqual([])
})

test('calls of two turns that have one id are two calls', async () => {
  const { openCalls } = await loadAfter(sealed('t'), sealed('u'), callEnd('t'))
  expect(openCalls).toEqual([call])
})

describe('inputs that had an id', () => {
  test('F139 are known by it, with the end of their turn', async () => {
    const { inputs } = await loadAfter(turnEnd('t', 'm1'), turnEnd('u'))
    expect(inputs).toEqual(new Map([['m1', turnEnd('t', 'm1')]]))
  })

  test('the newest thousand are kept', async () => {
    const ends = Array.from({ length: 1_001 }, (_, i) => turnEnd('t', `m${i}`))
    const { inputs } = await loadAfter(...ends)
    expect(inputs.size).toBe(1_000)
    expect([inputs.has('m0'), inputs.has('m1000')]).toEqual([false, true])
  })

  test('one that comes again pushes out no other', async () => {
    const ends = Array.from({ length: 1_000 }, (_, i) => turnEnd('t', `m${i}`))
    const { inputs } = await loadAfter(...ends, turnEnd('u', 'm999'))
    expect(inputs.size).toBe(1_000)
    expect(inputs.has('m0')).toBe(true)
  })
})

test('what was loaded does not change with the session', async () => {
  const store = createMemoryStore()
  await store.create(info)
  await store.append('one', [commit(said('a'))])
  const before = await store.load('one')
  await store.append('one', [
    commit(said('b')),
    sealed('t'),
    turnEnd('t', 'm1'),
  ])
  expect(before).toMatchObject({ messages: [said('a')], openCalls: [] })
  expect(before?.inputs.size).toBe(0)
})

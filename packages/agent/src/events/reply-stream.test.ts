import fc from 'fast-check'
import type { ModelContent, TextEvent } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { outline } from '../model/fixtures/asking.ts'
import type { Holding } from './hold-back.ts'
import { ReplyStream } from './reply-stream.ts'

const free: Holding = {
  isAll: false,
  isSentence: false,
  window: 0,
  scans: [],
}
const all: Holding = { ...free, isAll: true }

function watch(holding: Holding) {
  const told: TextEvent[] = []
  let count = 0
  const stream = new ReplyStream(
    holding,
    () => `block-${++count}`,
    (event) => void told.push(event),
  )
  return { stream, told }
}

type Kind = 'text' | 'reasoning'

function start(id: string, kind: Kind = 'text'): TextEvent {
  return { type: `${kind}-start`, id }
}

function delta(id: string, text: string, kind: Kind = 'text'): TextEvent {
  return { type: `${kind}-delta`, id, text }
}

function end(id: string, kind: Kind = 'text'): TextEvent {
  return { type: `${kind}-end`, id }
}

function text(value: string, type: Kind = 'text') {
  return { type, text: value }
}

test('what nobody holds back goes out as it comes, and is not repeated', async () => {
  const { stream, told } = watch(free)
  for (const part of [start('a'), delta('a', 'Hel'), delta('a', 'lo')]) {
    void stream.push(part)
  }
  expect(outline(told)).toEqual(['[text', 'Hel', 'lo'])
  await stream.release([text('Hello')])
  expect(outline(told)).toEqual(['[text', 'Hel', 'lo', 'text]'])
})

test('reasoning that has ended is closed before the text begins', async () => {
  const { stream, told } = watch(free)
  const parts = [
    start('r', 'reasoning'),
    delta('r', 'Hm.', 'reasoning'),
    end('r', 'reasoning'),
    start('t'),
    delta('t', 'Yes.'),
    end('t'),
  ]
  for (const part of parts) void stream.push(part)
  await stream.release([text('Hm.', 'reasoning'), text('Yes.')])
  expect(outline(told)).toEqual([
    '[reasoning',
    'Hm.',
    'reasoning]',
    '[text',
    'Yes.',
    'text]',
  ])
})

test('F140 what is held back goes out when it has been judged', async () => {
  const { stream, told } = watch(all)
  void stream.push(delta('a', 'Hello'))
  expect(told).toEqual([])
  expect(stream.isReleased).toBe(false)
  await stream.release([text('Goodbye')])
  expect(outline(told)).toEqual(['[text', 'Goodbye', 'text]'])
})

test('an id that the model uses again is another block', async () => {
  const { stream, told } = watch(free)
  const parts = [start('0'), delta('0', 'A'), end('0')]
  for (const part of [...parts, ...parts]) void stream.push(part)
  const isChanged = await stream.release([text('A'), text('A')])
  expect(isChanged).toBe(false)
  expect(outline(told)).toEqual(['[text', 'A', 'text]', '[text', 'A', 'text]'])
  expect(new Set(told.map(({ id }) => id)).size).toBe(2)
})

test('text and reasoning that share an id are two blocks', async () => {
  const { stream, told } = watch(free)
  void stream.push(delta('0', 'Hm', 'reasoning'))
  void stream.push(delta('0', 'Yes'))
  await stream.release([text('Hm', 'reasoning'), text('Yes')])
  expect(spokenOf(told, 'reasoning')).toBe('Hm')
  expect(spokenOf(told, 'text')).toBe('Yes')
})

test('what was said and no longer holds is closed, and said to be contradicted', async () => {
  const { stream, told } = watch(free)
  void stream.push(delta('a', 'Yes'))
  expect(await stream.release([text('No')])).toBe(true)
  expect(outline(told)).toEqual([
    '[text',
    'Yes',
    'text]',
    '[text',
    'No',
    'text]',
  ])
})

test('a first block that was exchanged does not swallow the second', async () => {
  const { stream, told } = watch(all)
  void stream.push(delta('a', 'Hm', 'reasoning'))
  await stream.release([text('x'), text('x')])
  expect(outline(told)).toEqual(['[text', 'x', 'text]', '[text', 'x', 'text]'])
})

describe('a model that goes on when it is over', () => {
  test('says nothing after the release', async () => {
    const { stream, told } = watch(free)
    void stream.push(delta('a', 'Yes'))
    await stream.release([text('Yes')])
    void stream.push(delta('a', ', but'))
    void stream.push(delta('b', 'No'))
    expect(outline(told)).toEqual(['[text', 'Yes', 'text]'])
  })

  test('says nothing after the close', async () => {
    const { stream, told } = watch(free)
    void stream.push(delta('a', 'Yes'))
    await stream.close()
    void stream.push(delta('a', ', but'))
    expect(outline(told)).toEqual(['[text', 'Yes', 'text]'])
  })
})

test('a pair of code units that comes in two parts goes out as one', async () => {
  const { stream, told } = watch(free)
  const [high = '', low = ''] = ['\ud83d', '\ude00']
  void stream.push(delta('a', `a${high}`))
  void stream.push(delta('a', `${low}b`))
  await stream.release([text('a\u{1f600}b')])
  expect(outline(told)).toEqual(['[text', 'a', '\u{1f600}b', 'text]'])
})

test('the end of a block that is held back goes out before the next one does', async () => {
  const { stream, told } = watch({ ...free, isSentence: true, window: 2 })
  for (const part of [start('a'), delta('a', 'Hm. Well'), end('a')]) {
    void stream.push(part)
  }
  expect(outline(told)).toEqual(['[text', 'Hm. '])
  void stream.push(delta('b', 'Y'))
  void stream.push(delta('b', 'es. No'))
  expect(outline(told)).toEqual([
    '[text',
    'Hm. ',
    'Wel',
    'l',
    'text]',
    '[text',
    'Yes. ',
  ])
})

test('what comes after text that is held back and may go on does not overtake it', async () => {
  const { stream, told } = watch({ ...free, window: 1 })
  void stream.push(delta('a', 'N'))
  void stream.push(delta('b', 'Yes. '))
  expect(outline(told)).toEqual([])
  void stream.push(end('a'))
  void stream.push(delta('b', 'Well'))
  expect(outline(told)).toEqual(['[text', 'N', 'text]', '[text', 'Yes. Wel'])
  expect(await stream.release([text('N'), text('Yes. Well')])).toBe(false)
  expect(outline(told)).toEqual([
    ...['[text', 'N', 'text]'],
    ...['[text', 'Yes. Wel', 'l', 'text]'],
  ])
})

test('a listener that asks to wait is waited for', async () => {
  const room = Promise.withResolvers<void>()
  const stream = new ReplyStream(
    free,
    () => 'block',
    () => room.promise,
  )
  let isHeard = false
  const heard = Promise.resolve(stream.push(delta('a', 'Yes'))).then(() => {
    isHeard = true
  })
  await Promise.resolve()
  expect(isHeard).toBe(false)
  room.resolve()
  await heard
  expect(isHeard).toBe(true)
})

const anyKind = fc.constantFrom<Kind>('text', 'reasoning')
const anyId = fc.constantFrom('0', '1', '2')
const anyText = fc.oneof(
  fc.constantFrom('Yes. ', 'No', '', '\u{1f600}', '\ud83d', '\ude00', '\n'),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const anyPart: fc.Arbitrary<TextEvent> = fc.oneof(
  fc.tuple(anyId, anyKind).map((given) => start(...given)),
  fc.tuple(anyId, anyKind).map((given) => end(...given)),
  fc.tuple(anyId, anyText, anyKind).map((given) => delta(...given)),
)
const anyHolding: fc.Arbitrary<Holding> = fc.record({
  isAll: fc.boolean(),
  isSentence: fc.boolean(),
  window: fc.nat(4),
  scans: fc.constantFrom([], [(text: string) => text.lastIndexOf('N')]),
})
const anyContent: fc.Arbitrary<ModelContent> = fc.array(
  fc.tuple(anyText, anyKind).map((given) => text(...given)),
  { maxLength: 4 },
)

describe('whatever a model does', () => {
  test('no delta is outside its brackets, and each is closed once', async () => {
    const property = fc.asyncProperty(
      fc.array(anyPart, { maxLength: 12 }),
      fc.array(anyPart, { maxLength: 3 }),
      anyHolding,
      fc.option(anyContent, { nil: undefined }),
      async (parts, late, holding, content) => {
        const { stream, told } = watch(holding)
        for (const part of parts) void stream.push(part)
        await (content ? stream.release(content) : stream.close())
        for (const part of late) void stream.push(part)
        await stream.close()
        expect(problemOf(told)).toBeUndefined()
      },
    )
    await fc.assert(property, { numRuns: 500 })
  })

  test('what went out of each kind is what was judged, unless it was contradicted', async () => {
    const property = fc.asyncProperty(
      fc.array(anyPart, { maxLength: 12 }),
      anyHolding,
      anyContent,
      async (parts, holding, content) => {
        const { stream, told } = watch(holding)
        for (const part of parts) void stream.push(part)
        if (await stream.release(content)) return
        for (const kind of ['text', 'reasoning'] as const) {
          expect(spokenOf(told, kind)).toBe(contentOf(content, kind))
        }
      },
    )
    await fc.assert(property, { numRuns: 500 })
  })

  test('what goes out before the judgement is a prefix of what the model said', async () => {
    const property = fc.asyncProperty(
      fc.array(anyText, { maxLength: 12 }),
      anyHolding,
      async (chunks, holding) => {
        const { stream, told } = watch(holding)
        for (const chunk of chunks) void stream.push(delta('a', chunk))
        const whole = chunks.join('')
        expect(whole.startsWith(spokenOf(told, 'text'))).toBe(true)
        expect(await stream.release([text(whole)])).toBe(false)
        expect(spokenOf(told, 'text')).toBe(whole)
      },
    )
    await fc.assert(property, { numRuns: 500 })
  })
})

/** All that was said of a kind. */
function spokenOf(told: readonly TextEvent[], kind: Kind): string {
  return told
    .map((one) => ('text' in one && one.type.startsWith(kind) ? one.text : ''))
    .join('')
}

function contentOf(content: ModelContent, kind: Kind): string {
  return content
    .map((block) => (block.type === kind && 'text' in block ? block.text : ''))
    .join('')
}

/** What is wrong with the brackets, if anything is. */
function problemOf(told: readonly TextEvent[]): string | undefined {
  const kinds = new Map<string, string>()
  const open = new Set<string>()
  for (const { type, id } of told) {
    const [kind = '', verb] = type.split('-')
    if (verb === 'start' && kinds.has(id)) return `${id} starts again`
    if (verb === 'start') {
      kinds.set(id, kind)
      open.add(id)
      continue
    }
    if (!open.has(id)) return `${type} of ${id}, which is not open`
    if (kinds.get(id) !== kind) return `${type} in ${kinds.get(id)} ${id}`
    if (verb === 'end') open.delete(id)
  }
  return open.size > 0 ? `${[...open].join()} stay open` : undefined
}

describe('with a gate that looks at the text', () => {
  /** Lets out what stands before an `x`, and not the last two characters. */
  const careful: Holding = {
    ...free,
    scans: [
      (text, from, isWhole) => {
        const found = text.indexOf('x', from)
        const end = isWhole ? text.length : text.length - 2
        return found === -1 ? end : Math.min(found, end)
      },
    ],
  }

  test('text flows until it finds something, and then waits', async () => {
    const { stream, told } = watch(careful)
    for (const part of ['abcd', 'efxg', 'hijklmnop', 'qrstuvwxyz']) {
      void stream.push(delta('a', part))
    }
    expect(outline(told)).toEqual(['[text', 'ab', 'cdef'])
    await stream.release([text('abcdef[1]ghij')])
    expect(outline(told).join('')).toBe('[textabcdef[1]ghijtext]')
  })

  test('the end of a block goes out when the block is whole', () => {
    const { stream, told } = watch(careful)
    const parts = [start('r', 'reasoning'), delta('r', 'Hm.', 'reasoning')]
    for (const part of [...parts, end('r', 'reasoning'), delta('t', 'Yes.')]) {
      void stream.push(part)
    }
    expect(outline(told).join('')).toBe('[reasoningHm.reasoning][textYe')
  })

  test('nothing overtakes a block that waits', async () => {
    const { stream, told } = watch(careful)
    const parts = [delta('a', 'axb'), end('a'), delta('b', 'cdefgh'), end('b')]
    for (const part of parts) void stream.push(part)
    expect(outline(told)).toEqual(['[text', 'a'])
    await stream.release([text('a[1]b'), text('cdefgh')])
    const all = '[texta[1]btext][textcdefghtext]'
    expect(outline(told).join('')).toBe(all)
  })

  test('a long text that waits is not looked at again and again', () => {
    let looked = 0
    const scan = (given: string) => {
      looked += given.length
      return 0
    }
    const { stream } = watch({ ...free, scans: [scan] })
    for (let at = 0; at < 20_000; at++) void stream.push(delta('a', 'abcde'))
    expect(looked).toBeLessThan(10 * 100_000)
  })
})

import { describe, expect, test } from 'vitest'
import { createLog, type LogOptions } from './create-log.ts'

function record(options: LogOptions = {}) {
  const lines: string[] = []
  const log = createLog({
    format: 'json',
    now: () => Date.UTC(2026, 0, 2, 3, 4, 5),
    write: (line) => lines.push(line),
    ...options,
  })
  const read = () => lines.map((line): unknown => JSON.parse(line))
  return { log, lines, read }
}

describe('a line', () => {
  test('is one JSON value with time, level, event and what it is about', () => {
    const { log, read } = record()
    log.info('session-opened', { sessionId: 's1', count: 2 })
    expect(read()).toEqual([
      {
        at: '2026-01-02T03:04:05.000Z',
        level: 'info',
        event: 'session-opened',
        sessionId: 's1',
        count: 2,
      },
    ])
  })

  test('has what its log has, and cannot pass for another', () => {
    const { log, read } = record()
    log.with({ worker: 'w1' }).warn('x', { level: 'info', event: 'y', at: 0 })
    expect(read()).toMatchObject([{ worker: 'w1', level: 'warn', event: 'x' }])
  })

  test('F215 holds no control character, whatever it is about', () => {
    const nasty =
      'a\nb\r\u001b[31mred\u0007\u0085\u009b1m\u202egnp\u2028\u200b\u{e0041}'
    for (const format of ['json', 'text'] as const) {
      const { log, lines } = record({ format, hasColour: false })
      log.error(`event${nasty}`, { [`key${nasty}`]: nasty, list: [nasty] })
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
    }
    const { log, read } = record()
    log.info('x', { nasty })
    // Escaped, and so the same when it is read.
    expect(read()).toMatchObject([{ nasty }])
  })

  test('is bounded, however much it is about', () => {
    const { log, lines, read } = record()
    const deep: Record<string, unknown> = {}
    deep['self'] = deep
    log.info('large', { text: 'x'.repeat(1_000_000), deep })
    log.info('many', {
      list: Array.from({ length: 100_000 }, (_, at) => `item ${at}`),
    })
    log.info(
      'wide',
      Object.fromEntries(
        Array.from({ length: 5_000 }, (_, at) => [
          `key-${at}`,
          'x'.repeat(1_000),
        ]),
      ),
    )
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(20_000)
    expect(read()).toMatchObject([
      { event: 'large' },
      { event: 'many' },
      { event: 'wide', cut: expect.any(Number) },
    ])
  })

  test('tells errors with their codes and causes', () => {
    const { log, read } = record()
    const cause = Object.assign(new Error('No space.'), { code: 'ENOSPC' })
    log.error('failed', { error: new Error('Not kept.', { cause }) })
    expect(read()).toMatchObject([
      {
        error: {
          message: 'Not kept.',
          cause: { code: 'ENOSPC', message: 'No space.' },
        },
      },
    ])
  })

  test('goes through the redactor as a whole, and a cut text is marked as one', () => {
    const seen: unknown[] = []
    const redactor = {
      text: (text: string) => text,
      data: (value: unknown) => {
        seen.push(value)
        return { secret: '[redacted]' }
      },
    }
    const { log, read } = record({ redactor })
    log.info('x', { secret: 'hush', long: 'y'.repeat(100_000) })
    expect(seen).toEqual([
      { secret: 'hush', long: expect.stringMatching(/y…$/) },
    ])
    expect(read()).toMatchObject([{ secret: '[redacted]' }])
  })
})

test('what is below the level is not written', () => {
  const { log, read } = record()
  log.debug('a')
  log.setLevel('error')
  log.with({}).warn('b')
  log.error('c')
  expect(read()).toMatchObject([{ event: 'c' }])
})

test('whatever fails while it is told, nobody hears of it', () => {
  const hostile = {
    get trap(): string {
      throw new Error('Not this way.')
    },
  }
  const { log } = record({
    write: () => {
      throw new Error('The disk is full.')
    },
  })
  expect(() => log.info('x')).not.toThrow()
  const { log: other, read } = record()
  other.info('x', { hostile, big: 1n, f: () => 1, nothing: undefined })
  expect(read()).toMatchObject([{ hostile: '[unreadable]', big: '1' }])
})

test('on a terminal it is for people', () => {
  const { log, lines } = record({ format: 'text', hasColour: true })
  log.warn('agent-refused', { agent: 'main', why: 'not so' })
  expect(lines).toEqual([
    '03:04:05 warn \u001b[33magent-refused\u001b[0m agent=main why="not so"',
  ])
})

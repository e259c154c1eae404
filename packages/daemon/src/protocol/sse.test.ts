import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heartbeat, type SseMessage, SseReader, writeSse } from './sse.ts'

const message = fc.record({
  id: fc.option(
    fc.string({ minLength: 1 }).filter((id) => !/[\0\r\n]/.test(id)),
    { nil: undefined },
  ),
  data: fc.oneof(
    fc.json(),
    fc.string().map((text) => text.replaceAll('\r', ' ')),
  ),
})

test('whatever is written is read again, however it is cut into pieces', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 20 }),
      fc.array(fc.nat(50)),
      (messages, cuts) => {
        const text = messages.map((one) => writeSse(one) + heartbeat).join('')
        const reader = new SseReader()
        const read: SseMessage[] = []
        let rest = text
        for (const cut of cuts) {
          read.push(...reader.push(rest.slice(0, cut)))
          rest = rest.slice(cut)
        }
        read.push(...reader.push(rest))
        expect(read.map(({ data }) => data)).toEqual(
          messages.map(({ data }) => data),
        )
        const ids = messages.map(({ id }) => id)
        read.forEach((one, at) => {
          expect(one.id).toBe(
            ids.slice(0, at + 1).findLast((id) => id !== undefined),
          )
        })
      },
    ),
  )
})

test('an id cannot bring in lines of its own', () => {
  expect(writeSse({ id: '1\ndata: forged', data: '{}' })).toBe('data: {}\n\n')
})

test('a message without end is refused before it fills the memory', () => {
  const reader = new SseReader()
  const piece = 'x'.repeat(8 * 1_048_576)
  expect(() => {
    for (let at = 0; at < 6; at++) reader.push(piece)
  }).toThrow('too large')
  const lines = new SseReader()
  expect(() => {
    for (let at = 0; at < 6; at++) lines.push(`data: ${piece}\n`)
  }).toThrow('too large')
})

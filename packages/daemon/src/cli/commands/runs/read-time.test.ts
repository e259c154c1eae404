import { expect, test } from 'vitest'
import { GivenOptions } from '../../given-options.ts'
import { readTime } from './read-time.ts'

const read = (until: string, span: 'before' | 'after' = 'after') =>
  readTime(new GivenOptions({ until }), 'until', { span })

test('F127 until when something is switched off is a span, or a date that names its zone', () => {
  expect(read('2099-01-31T18:00Z')).toBe(Date.UTC(2099, 0, 31, 18))
  expect(read('2099-01-31T18:00+05:45')).toBe(Date.UTC(2099, 0, 31, 12, 15))
  for (const text of ['2099-01-31', '2099-01-31T18:00', '2099-01-31 18:00']) {
    expect(() => read(text)).toThrow('another moment in each time zone')
  }
  const ms = read('2h') ?? 0
  expect(Math.abs(ms - Date.now() - 7_200_000)).toBeLessThan(60_000)
  // To look back, one's own time is what is meant.
  expect(read('2024-01-31T18:00', 'before')).toBe(
    Date.parse('2024-01-31T18:00'),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Database, Row, SqlValue } from './database.ts'
import { forEachDatabase } from './fixtures/databases.ts'
import {
  insertMeta,
  keysFrom,
  plain,
  readMeta,
  setMeta,
  unit,
} from './fixtures/statements.ts'

const insertTurn = `INSERT INTO calls (turn_id, call_id, session_id, tool, owner, safety, state, verdicts, started_at, elapsed_ms)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** A row with a text, a whole number and a double, as it comes back. */
async function keepAll(
  database: Database,
  {
    key,
    text,
    whole,
    double,
  }: { key: string; text: SqlValue; whole: SqlValue; double: SqlValue },
): Promise<Row | undefined> {
  const values = [key, key, 's', 't', 'o', 's', 's', text, whole, double]
  await database.write(unit('keep', plain(insertTurn, ...values)))
  const [row] = await database.read(
    plain(
      'SELECT verdicts AS text, started_at AS whole, elapsed_ms AS double FROM calls WHERE turn_id = ?',
      key,
    ),
  )
  return row
}

/** All that a string of JavaScript can be: halves of pairs and zeros, too. */
const anyText = fc.string({
  unit: fc.oneof(
    fc
      .integer({ min: 0, max: 0xffff })
      .map((code) => String.fromCharCode(code)),
    fc.constantFrom(
      '\0',
      '\ue000',
      '\ud800',
      '\udc00',
      '😀',
      "'",
      '"',
      '\\',
      '$1',
      '?',
    ),
  ),
  maxLength: 60,
})

const hostile = [
  `'; DROP TABLE meta; --`,
  `"); DELETE FROM meta WHERE ("" = "`,
  `\\'; DROP TABLE meta; --`,
  '$1; DROP TABLE meta',
  '? OR 1 = 1',
  "' OR '1'='1",
  '\0; DROP TABLE meta',
  '%',
  '\u2019; DROP TABLE meta; --',
  'COMMIT; DROP TABLE meta; BEGIN',
  "E'\\x27; DROP TABLE meta",
  '$$; DROP TABLE meta; $$',
  'ROLLBACK TO unit',
  'line\nbreak\r\n\u001b[31m',
]

forEachDatabase((kit) => {
  test('every text and every number comes back as it was', async () => {
    const database = await kit.open()
    let count = 0
    await fc.assert(
      fc.asyncProperty(
        anyText,
        fc.maxSafeInteger(),
        fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
        async (text, whole, double) => {
          count += 1
          const row = await keepAll(database, {
            key: `key ${count}`,
            text,
            whole,
            double,
          })
          expect(row).toEqual({
            text,
            whole: whole + 0,
            double: double === null ? null : double + 0,
          })
        },
      ),
      { numRuns: process.env['HOOKLINE_LONG'] === '1' ? 200 : 100 },
    )
  })

  test('the greatest numbers, five megabytes of text and nothing at all come back', async () => {
    const database = await kit.open()
    const rows = [
      {
        key: 'big',
        text: 'x',
        whole: Number.MAX_SAFE_INTEGER,
        double: Number.MAX_VALUE,
      },
      {
        key: 'small',
        text: '',
        whole: Number.MIN_SAFE_INTEGER,
        double: Number.MIN_VALUE,
      },
      {
        key: 'long',
        text: 'größer😀'.repeat(600_000),
        whole: 0,
        double: 0.1 + 0.2,
      },
      { key: 'none', text: 'null', whole: -1, double: null },
    ]
    for (const { key, ...row } of rows) {
      expect(await keepAll(database, { key, ...row })).toEqual(row)
    }
  })

  test('texts that look alike are different keys', async () => {
    const database = await kit.open()
    const keys = [
      'a',
      'A',
      'a ',
      'a\0',
      'a\ue000',
      'a\ue0000000',
      'ä',
      'a\u0308',
      '\ud800',
      '\ufffd',
    ]
    const insert = keys.map((key) => insertMeta(`key ${key}`, key))
    await database.write(unit('alike', ...insert))
    for (const key of keys) {
      expect(await database.read(readMeta(`key ${key}`))).toEqual([
        { value: key },
      ])
    }
  })

  test('what is no number is refused, and nothing of its unit is kept', async () => {
    const database = await kit.open()
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const values = { key: 'odd', text: 'x', whole: 1, double: value }
      await expect(keepAll(database, values)).rejects.toMatchObject({
        code: 'invalid-statement',
      })
    }
    const values = { key: 'odd', text: null, whole: 1, double: 1 }
    await expect(keepAll(database, values)).rejects.toMatchObject({
      code: 'invalid-statement',
    })
    expect(await database.read(plain('SELECT turn_id FROM calls'))).toEqual([])
  })

  test('sums, counts and comparisons are numbers', async () => {
    const database = await kit.open()
    for (const whole of [1, 2, 4]) {
      await keepAll(database, {
        key: `key ${whole}`,
        text: 'x',
        whole,
        double: whole / 2,
      })
    }
    const rows = await database.read(
      plain(
        `SELECT COUNT(*) AS count, SUM(started_at) AS sum, MAX(elapsed_ms) AS most,
        SUM(started_at) / 2 > ? AS more FROM calls`,
        3,
      ),
    )
    expect(rows).toEqual([
      { count: 3, sum: 7, most: 2, more: expect.any(Number) },
    ])
  })

  test('T54 values are never read as SQL, whatever they hold', async () => {
    const database = await kit.open()
    for (const text of hostile) {
      await database.write(unit(text, insertMeta(`key ${text}`, text)))
      expect(await database.read(readMeta(`key ${text}`))).toEqual([
        { value: text },
      ])
      await database.write(
        unit(text, setMeta(`key ${text}`, text, `${text}${text}`)),
      )
      expect(await database.read(readMeta(text))).toEqual([])
    }
    const kept = await database.read(keysFrom('key '))
    expect(kept).toHaveLength(hostile.length)
  })

  test('T54 an error names the unit, never a value', async () => {
    const database = await kit.open()
    const secret = 'sk-canary-4711'
    await database.write(unit('first', insertMeta(secret, secret)))
    const broken = [
      unit('again', insertMeta(secret, secret)),
      unit('swap', setMeta(secret, `not ${secret}`, secret)),
      unit(
        'type',
        plain(
          'UPDATE cells SET version = ? + 1 WHERE name = ?',
          secret,
          secret,
        ),
      ),
      unit(
        'null',
        plain(
          'INSERT INTO meta (key, value) VALUES (?, ?)',
          `${secret} 2`,
          null,
        ),
      ),
      unit('words', plain('SELECT * FROM no_such_table WHERE key = ?', secret)),
      unit(
        'cast',
        plain(`SELECT CAST(? AS BIGINT) + no_such_function(?)`, secret, secret),
      ),
    ]
    for (const one of broken) {
      const error = await database.write(one).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      const told = `${JSON.stringify(error, allFields(error))} ${String(error)}`
      expect(told).not.toContain(secret)
      if (one.name !== 'type') expect(told).toContain(one.name)
    }
  })
})

/** Also those that JSON leaves out, as message, stack and cause. */
function allFields(error: unknown): string[] {
  const fields = new Set<string>()
  for (let one = error; one instanceof Error; one = one.cause) {
    for (const name of Object.getOwnPropertyNames(one)) fields.add(name)
  }
  return [...fields]
}

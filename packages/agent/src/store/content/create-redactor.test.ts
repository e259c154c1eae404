import { describe, expect, test } from 'vitest'
import { createRedactor, secretsOf } from './create-redactor.ts'
import { canariesIn, makeCanaries, toldSecrets } from './fixtures/canaries.ts'

const redactor = createRedactor()
const canaries = makeCanaries()

describe('T55 of 500 secrets none is left', () => {
  const told = createRedactor({ secrets: toldSecrets(canaries) })

  test('all of them were there', () => {
    expect(canaries).toHaveLength(500)
    const all = canaries.map(({ text }) => text).join('\n')
    expect(canariesIn(all, canaries)).toHaveLength(500)
  })

  test('in the text of each', () => {
    const texts = canaries.map(({ text }) => told.text(text))
    expect(canariesIn(texts.join('\n'), canaries)).toEqual([])
  })

  test('in one text of all', () => {
    const all = canaries.map(({ text }) => text).join('\n')
    expect(canariesIn(told.text(all), canaries)).toEqual([])
  })

  test('in data', () => {
    const data = told.data(canaries.map((canary) => canary.data))
    expect(canariesIn(JSON.stringify(data), canaries)).toEqual([])
  })

  test('in data that is a text of JSON, or a text of a text', () => {
    const once = canaries.map(({ data }) => JSON.stringify(data))
    const twice = once.map((text) => JSON.stringify(text))
    for (const texts of [once, twice]) {
      const left = texts.map((text) => told.text(text)).join('\n')
      expect(canariesIn(left, canaries)).toEqual([])
    }
  })

  test('what is no secret stays', () => {
    const text = 'The task-management of 12 tokens: see https://host/a?b=c@d.'
    expect(told.text(text)).toBe(text)
    const data = { tokens: 12, inputTokens: 3, ok: true, none: null, list: [1] }
    expect(told.data(data)).toEqual(data)
  })
})

describe('a secret is known by its name', () => {
  test.each([
    ['password=hunter2 x', 'password=[redacted] x'],
    ['"password": "hunter2", "a": 1', '"password": "[redacted]", "a": 1'],
    ["'secret' => 'it''s'", "'secret' => '[redacted]''s'"],
    ['{\\"token\\":\\"abc\\"}', '{\\"token\\":\\"[redacted]\\"}'],
    ['"secret":"a\\"b","c":1', '"secret":"[redacted]","c":1'],
    ['"secret":"a\\\\","c":1', '"secret":"[redacted]","c":1'],
    ['"secrets": ["a", ["b"]], "c": 1', '"secrets": [redacted], "c": 1'],
    ['?api_key=abc&x=1', '?api_key=[redacted]&x=1'],
    ['-H "Cookie: a=b; c=d" url', '-H "Cookie: [redacted]" url'],
    ['--token abc --x', '--token [redacted] --x'],
    ['--token --x', '--token --x'],
    [
      "headers['Authorization'] = 'x'",
      "headers['Authorization'] = '[redacted]'",
    ],
    ['password = ', 'password = '],
    ['AWS_SECRET_ACCESS_KEY=a/b+c', 'AWS_SECRET_ACCESS_KEY=[redacted]'],
  ])('%s', (text, expected) => {
    expect(redactor.text(text)).toBe(expected)
  })

  test('in data, whatever stands there', () => {
    const data = {
      password: 'a',
      nested: { apiKey: ['b', { c: 'd' }], pin: 1234, hasToken: true },
      env: [{ name: 'DB_PASSWORD', value: 'e' }],
      argv: ['deploy', '--token', 'f', 'g'],
      headers: [['Authorization', 'h']],
    }
    expect(redactor.data(data)).toEqual({
      password: '[redacted]',
      nested: {
        apiKey: ['[redacted]', { c: '[redacted]' }],
        pin: '[redacted]',
        hasToken: true,
      },
      env: [{ name: 'DB_PASSWORD', value: '[redacted]' }],
      argv: ['deploy', '--token', '[redacted]', 'g'],
      headers: [['Authorization', '[redacted]']],
    })
  })

  test('names of one’s own count in any spelling', () => {
    const own = createRedactor({ names: ['door-code'] })
    expect(own.text('frontDoorCode=77 a=b')).toBe(
      'frontDoorCode=[redacted] a=b',
    )
    expect(own.data({ door_code: 77 })).toEqual({ door_code: '[redacted]' })
  })
})

describe('a secret that was told', () => {
  const secret = 'pä"ss wörd/1+2'

  test.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify(secret)],
    ['in JSON in JSON', JSON.stringify(JSON.stringify(secret))],
    ['in an address', encodeURIComponent(secret)],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 after one byte', Buffer.from(`a${secret}b`).toString('base64')],
    ['in base64 after two', Buffer.from(`ab${secret}c`).toString('base64url')],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ])('%s is gone', (_, text) => {
    const told = createRedactor()
    expect(told.text(`x${text}y`)).not.toContain('[redacted]')
    told.add(secret)
    const left = told.text(`x${text}y`)
    expect(left).toContain('[redacted]')
    expect(left.length).toBeLessThan('x[redacted]y'.length + 9)
  })

  test('is found wherever it stands, and so are its neighbours', () => {
    const secrets = ['abcdefgh', 'bcdefghi', 'xxabcdefghxx', 'aaaaaaaaa']
    const told = createRedactor({ secrets })
    for (const one of secrets) {
      for (let before = 0; before < 12; before++) {
        const text = `${'.'.repeat(before)}${one}${one}.`
        expect(told.text(text)).toBe(`${'.'.repeat(before)}[redacted].`)
      }
    }
    expect(told.text('abcdefg bcdefgh aaaaaaaa')).not.toContain('[redacted]')
  })

  test('must be long enough to be told from other text', () => {
    expect(() => redactor.add('short12')).toThrow(
      expect.objectContaining({ code: 'invalid-options' }),
    )
  })

  test('can come from the environment, by its name', () => {
    const environment = {
      OPENAI_API_KEY: 'a-very-long-key',
      PATH: '/usr/bin:/usr/local/bin',
      DB_PASSWORD: 'short',
      GITHUB_TOKEN: undefined,
    }
    expect(secretsOf(environment)).toEqual(['a-very-long-key'])
  })

  test('the folder of a shell is none, and is shown to whoever is asked about a call', () => {
    const folder = '/home/somebody/a-project'
    const environment = { PWD: folder, OLDPWD: folder, DB_PWD: 'long-enough' }
    expect(secretsOf(environment)).toEqual(['long-enough'])
  })
})

describe('T60 marks', () => {
  const one = createRedactor({ markKey: 'one' })
  const markIn = (text: string) => /\[redacted:([0-9a-f]{12})\]/.exec(text)?.[1]

  test('of equal secrets are equal, of others they are not', () => {
    const mark = markIn(one.text('password=1234 x'))
    expect(mark).toHaveLength(12)
    expect(markIn(one.text('the pin=1234'))).toBe(mark)
    expect(one.data({ pin: 1234 })).toEqual({ pin: `[redacted:${mark}]` })
    expect(markIn(one.text('password=1235 x'))).not.toBe(mark)
  })

  test('cannot be tried out without the key', async () => {
    const { createHash } = await import('node:crypto')
    const mark = markIn(one.text('password=1234 x'))
    const other = createRedactor({ markKey: 'other' })
    expect(markIn(other.text('password=1234 x'))).not.toBe(mark)
    const unkeyed = ['sha256', 'sha1', 'md5', 'sha512'].map((name) =>
      createHash(name).update('1234').digest('hex').slice(0, 12),
    )
    expect(unkeyed).not.toContain(mark)
  })

  test('without a key tell nothing at all', () => {
    const marks = ['1234', '1235'].map((pin) => redactor.text(`pin=${pin}`))
    expect(new Set(marks).size).toBe(1)
  })

  test('stay as they are when they come again', () => {
    const once = one.text('password=1234 x')
    expect(one.text(once)).toBe(once)
  })
})

describe('F215 T54 what could forge a line is escaped', () => {
  test.each([
    ['a\nlevel=info', 'a\\nlevel=info'],
    ['a\r\nb', 'a\\r\\nb'],
    ['\u001b[2J\u001b]0;x\u0007', '\\x1b[2J\\x1b]0;x\\x07'],
    ['a\u0000b\u0085c\u2028d', 'a\\x00b\\x85c\\u2028d'],
    ['a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
    ['a\ud800b', 'a\ufffdb'],
  ])('%j', (text, expected) => {
    expect(redactor.text(text)).toBe(expected)
  })

  test('in data it is for JSON to do', () => {
    expect(redactor.data({ a: 'b\nc' })).toEqual({ a: 'b\nc' })
  })
})

describe('data of any shape', () => {
  test('keys that were secrets stay apart', () => {
    const [one, two] = canaries.filter(({ kind }) => kind === 'github')
    const data = { [one?.secret ?? '']: 1, [two?.secret ?? '']: 2 }
    expect(redactor.data(data)).toEqual({
      '[redacted]': 1,
      '[redacted] (2)': 2,
    })
  })

  test('a key can be __proto__', () => {
    const data: unknown = JSON.parse('{"__proto__":{"password":"x"}}')
    const copy = redactor.data(data)
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"password":"[redacted]"}}')
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  })

  test('a circle ends', () => {
    const circle: Record<string, unknown> = { a: 1 }
    circle['self'] = circle
    expect(JSON.stringify(redactor.data(circle))).toContain('[too deep]')
  })

  test('what JSON cannot say is left out', () => {
    const data = { a: () => 1, b: undefined, c: 1n, d: Symbol('x') }
    expect(JSON.stringify(redactor.data(data))).toBe('{"c":"1"}')
  })
})

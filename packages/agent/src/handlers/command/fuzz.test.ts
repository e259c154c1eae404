import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { readAnswer } from '../answer/read-answer.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { CappedBytes } from './capped-bytes.ts'
import type { CommandEnd } from './command-runner.ts'
import { createCommandRunner } from './create-command-runner.ts'
import { askCommand } from './fixtures/ask-hook.ts'
import { readEnd } from './read-end.ts'
import { LineReader } from './resident/line-reader.ts'
import { PendingCalls } from './resident/pending-calls.ts'

const runner = createCommandRunner({ spawnHelper: 'never' })
afterAll(async () => await runner.close())

const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 })

test('of any stream the first and last bytes are kept, however it is cut', () => {
  const sizes = fc.record({ head: fc.nat(50), tail: fc.nat(50) })
  fc.assert(
    fc.property(chunks, sizes, (parts, { head, tail }) => {
      const kept = new CappedBytes({ head, tail })
      for (const part of parts) kept.add(part)
      const whole = Buffer.concat(parts)
      expect(kept.total).toBe(whole.length)
      expect(kept.isCut).toBe(whole.length > head + tail)
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
      if (!kept.isCut) {
        expect(kept.text).toBe(decoder.decode(whole))
        return
      }
      const gap = `\n[${whole.length - head - tail} bytes are left out here]\n`
      const cut = Buffer.concat([
        whole.subarray(0, head),
        Buffer.from(tail === 0 ? '' : gap),
        whole.subarray(whole.length - tail),
      ])
      expect(kept.text).toBe(decoder.decode(cut))
    }),
    { numRuns: 2_000 },
  )
})

test('any stream is cut into the same lines, however it arrives', () => {
  fc.assert(
    fc.property(chunks, fc.nat(60), (parts, maxBytes) => {
      const seen: string[] = []
      let overflows = 0
      const reader = new LineReader({
        maxBytes,
        take: (line) => seen.push(Buffer.from(line).toString('latin1')),
        overflow: () => {
          overflows += 1
        },
      })
      for (const part of parts) reader.add(part)
      const lines = Buffer.concat(parts).toString('latin1').split('\n')
      const tooLong = lines.findIndex((line) => line.length > maxBytes)
      const whole =
        tooLong === -1 ? lines.slice(0, -1) : lines.slice(0, tooLong)
      expect(seen).toEqual(whole)
      expect(overflows).toBe(tooLong === -1 ? 0 : 1)
    }),
    { numRuns: 5_000 },
  )
})

/** What a hostile resident command might print. */
const residentBytes = fc.oneof(
  fc.uint8Array({ maxLength: 80 }),
  fc
    .record({
      type: fc.oneof(fc.constantFrom('proceed', 'reject'), fc.string()),
      run: fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.jsonValue()),
    })
    .map((value) => Buffer.from(`${JSON.stringify(value)}\n`)),
  fc.json().map((text) => Buffer.from(`${text}\n`)),
  fc
    .constantFrom(
      '{"run":"a"}\n',
      '{"run":"a"',
      '\n',
      '{"__proto__":{"run":"a"}}\n',
    )
    .map((text) => Buffer.from(text)),
)

test('F046 whatever a resident command prints, a call gets a line that names its run or a failure', async () => {
  const property = fc.asyncProperty(
    fc.array(residentBytes, { maxLength: 12 }),
    fc.integer({ min: 1, max: 30 }),
    async (parts, size) => {
      let isOver = false
      const calls = new PendingCalls({
        graceMs: 10_000,
        violated: (failure) => {
          isOver = true
          calls.failAll(failure)
        },
      })
      const reader = new LineReader({
        maxBytes: 1_000,
        take: (line) => {
          if (!isOver) calls.receive(line)
        },
        overflow: () => calls.failAll(new HandlerFailure('too-large', 'x')),
      })
      const asked = ['a', 'b'].map(async (run) => {
        const text = await calls.add(run, () => {})
        expect(JSON.parse(text).run).toBe(run)
      })
      const all = Promise.allSettled(asked)
      const whole = Buffer.concat(parts)
      for (let at = 0; at < whole.length; at += size) {
        reader.add(whole.subarray(at, at + size))
      }
      calls.failAll(new HandlerFailure('crashed', 'It has ended.'))
      for (const result of await all) {
        if (result.status === 'fulfilled') continue
        expect(result.reason).toBeInstanceOf(HandlerFailure)
      }
    },
  )
  await fc.assert(property, { numRuns: 5_000 })
  expect(Object.hasOwn(Object.prototype, 'run')).toBe(false)
})

const ends = fc.record({
  exitCode: fc.option(fc.integer({ min: 0, max: 255 }), { nil: undefined }),
  stdout: fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom('{"type":"proceed"}', '{"type":"reject"}', ''),
  ),
  stderr: fc.string(),
  isStdoutCut: fc.boolean(),
  isInvalidText: fc.boolean(),
  isTimedOut: fc.boolean(),
})

test('F069 whatever a command ends with, only a clean end with code 0 lets its answer count', () => {
  fc.assert(
    fc.property(ends, (given) => {
      const end: CommandEnd = {
        signal: given.exitCode === undefined ? 'SIGKILL' : undefined,
        isStderrCut: false,
        survivors: [],
        elapsedMs: 1,
        ...given,
      }
      const reader = {
        program: 'p',
        run: 'r',
        secrets: [],
        diagnose: () => {},
      }
      const isClean =
        end.exitCode === 0 && !end.isStdoutCut && !end.isInvalidText
      try {
        const { text, veto } = readEnd(end, reader)
        expect(end.isTimedOut).toBe(false)
        if (end.exitCode === 2) expect(veto).not.toBe('')
        else if (!isClean) expect(JSON.parse(text).type).toBe('reject')
      } catch (error) {
        if (!(error instanceof HandlerFailure)) throw error
        if (!isClean || end.isTimedOut) return
        expect(error.code).toBe('invalid')
        // Only what nobody could take for an answer.
        expect(() => readAnswer(end.stdout, { run: 'r' })).toThrow()
      }
    }),
    { numRuns: 20_000 },
  )
})

test('F048 F069 real programs that print anything and exit with anything never let pass what is invalid', async () => {
  const cases = fc.sample(
    fc.record({
      bytes: fc.oneof(
        fc.uint8Array({ maxLength: 60 }),
        fc
          .constantFrom(
            '{"type":"proceed"}',
            '{"type":"reject"}',
            '{"type":"pro',
          )
          .map((text) => Buffer.from(text)),
      ),
      pauseAt: fc.nat(20),
      code: fc.constantFrom(0, 0, 0, 1, 2, 3, 126, 127, 255),
    }),
    { numRuns: 120, seed: 4 },
  )
  const script = `
    printf '%b' "$1"; printf '%b' "$2"; exit "$3"`
  const octal = (bytes: Uint8Array) =>
    [...bytes].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')
  await Promise.all(
    cases.map(async ({ bytes, pauseAt, code }) => {
      const parts = [bytes.subarray(0, pauseAt), bytes.subarray(pauseAt)]
      const argv = ['bash', '-c', script, 'x', ...parts.map(octal), `${code}`]
      const heard = await askCommand({ argv }, { runner, policy: 'closed' })
      const text = Buffer.from(bytes).toString('latin1')
      const isAllow =
        code === 0 &&
        (/^[ \t\r\n]*$/.test(text) || text === '{"type":"proceed"}')
      expect([text, code, heard.type]).toEqual([
        text,
        code,
        isAllow ? 'proceed' : 'reject',
      ])
    }),
  )
}, 60_000)

import { expect, test } from 'vitest'
import { repetitions } from '../../../../core/fixtures/repetitions.ts'
import { pickSeed } from '../../jobs/fixtures/seed.ts'
import { fuzzedAnswer, seededRandom } from '../answer/fixtures/fuzz-answers.ts'
import { judgeAnswer } from '../answer/fixtures/slow-answer.ts'
import { readAnswer } from '../answer/read-answer.ts'
import type { HandlerReply } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { CappedBytes } from './capped-bytes.ts'
import { readEnd } from './read-end.ts'
import { LineReader } from './resident/line-reader.ts'
import { PendingCalls } from './resident/pending-calls.ts'

const run = 'run-1'
const count = repetitions({ short: 100_000, long: 500_000 })
const exits = [0, 0, 0, 0, 1, 2, 3, 255]

type Ask = (bytes: Buffer, random: () => number) => HandlerReply | undefined

/** In pieces, as a pipe would give them. */
function send(
  bytes: Buffer,
  random: () => number,
  take: (chunk: Uint8Array) => void,
): void {
  let at = 0
  while (at < bytes.length) {
    const size = 1 + Math.floor(random() * 40)
    take(bytes.subarray(at, at + size))
    at += size
  }
}

/** A command that prints this and exits with some code. */
function askOnce(bytes: Buffer, random: () => number): HandlerReply {
  const stdout = new CappedBytes({ head: 2_000, tail: 0 })
  send(bytes, random, (chunk) => stdout.add(chunk))
  const end = {
    exitCode: exits[Math.floor(random() * exits.length)],
    signal: undefined,
    stdout: stdout.text,
    stderr: '',
    isStdoutCut: stdout.isCut,
    isInvalidText: stdout.isInvalid,
    isStderrCut: false,
    isTimedOut: false,
    survivors: [],
    elapsedMs: 1,
  }
  return readEnd(end, { program: 'p', run, secrets: [], diagnose: () => {} })
}

/** A resident command that prints this. */
function askResident(
  bytes: Buffer,
  random: () => number,
): HandlerReply | undefined {
  const replies: string[] = []
  let isOver = false
  const calls = new PendingCalls({
    graceMs: 1,
    violated: () => {
      isOver = true
    },
  })
  const lines = new LineReader({
    maxBytes: 2_000,
    take: (line) => {
      if (!isOver) calls.receive(line)
    },
    overflow: () => {},
  })
  const heard = { resolve: (text: string) => replies.push(text) }
  calls.listen(run, { ...heard, reject: () => {}, diagnose: () => {} })
  send(Buffer.concat([bytes, Buffer.from('\n')]), random, (chunk) =>
    lines.add(chunk),
  )
  expect(replies.length).toBeLessThanOrEqual(1)
  const [text] = replies
  return text === undefined ? undefined : { text }
}

function typeOf(reply: HandlerReply | undefined, mustNameRun: boolean): string {
  if (reply === undefined) return 'none'
  if (reply.veto !== undefined) return 'reject'
  return readAnswer(reply.text, { run, mustNameRun }).answer.type
}

function fuzz(ask: Ask, mustNameRun: boolean) {
  const seed = pickSeed()
  const random = seededRandom(seed)
  const before = Reflect.ownKeys(Object.prototype).length
  const seen = { accepted: 0, rejected: 0, refused: 0 }
  for (let index = 0; index < count; index += 1) {
    const given = fuzzedAnswer(random)
    const isNamed = mustNameRun && random() < 0.7
    const text = isNamed ? given.replace('{', '{"run":"run-1",') : given
    const told = `seed ${seed}, answer ${index}: ${JSON.stringify(text)}`
    let type: string
    try {
      type = typeOf(ask(Buffer.from(text), random), mustNameRun)
    } catch (error) {
      if (!(error instanceof HandlerFailure)) throw new Error(told)
      type = 'none'
    }
    if (type === 'none') seen.refused += 1
    else if (type === 'reject') seen.rejected += 1
    else {
      seen.accepted += 1
      checkAccepted(type, { text, told, mustNameRun })
    }
  }
  expect(Reflect.ownKeys(Object.prototype)).toHaveLength(before)
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(count / 200)
}

interface Accepted {
  readonly text: string
  readonly told: string
  readonly mustNameRun: boolean
}

/** Some line of it has to be an answer of this type, by a slow reader. */
function checkAccepted(
  type: string,
  { text, told, mustNameRun }: Accepted,
): void {
  // As the bytes say it: what is no character has become another one.
  const sent = Buffer.from(text).toString()
  const texts = mustNameRun ? sent.split('\n') : [sent]
  const isRight = texts.some((one) => judgeAnswer(one, run)?.type === type)
  if (!isRight) throw new Error(`Accepted what is no answer: ${told}`)
}

test(
  `F048 F049 ${count} fuzzed answers of commands: no crash, and no allow from an invalid one`,
  () => {
    fuzz(askOnce, false)
  },
  count * 2,
)

test(
  `F046 ${count} fuzzed answers of resident commands: no crash, and no allow from an invalid one`,
  () => {
    fuzz(askResident, true)
  },
  count * 2,
)

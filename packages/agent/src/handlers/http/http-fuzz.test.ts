import { gzipSync } from 'node:zlib'
import { compileTable, createEngine, type HookRecord } from 'hookline'
import { points } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { repetitions } from '../../../../core/fixtures/repetitions.ts'
import { pickSeed } from '../../jobs/fixtures/seed.ts'
import { fuzzedAnswer, seededRandom } from '../answer/fixtures/fuzz-answers.ts'
import { judgeAnswer } from '../answer/fixtures/slow-answer.ts'
import { bindHook } from '../bind-hook.ts'
import type { Handler } from '../handler.ts'
import { createHttpHandler } from './create-http-handler.ts'
import { guardedCall, scope } from './fixtures/ask-server.ts'
import { rawReply, type Seen, startHostile } from './fixtures/hostile-server.ts'
import { openSender } from './fixtures/send.ts'

const count = repetitions({ short: 6_000, long: 100_000 })
const atOnce = 8

/** What the server sent, as far as it was not changed on its way. */
interface Sent {
  readonly body: string
  readonly isJson: boolean
  readonly isIntact: boolean
}

test(`${count} random replies of a server crash nothing, change no prototype, and are never read as more than they say`, {
  // Only what hangs gets there.
  timeout: count * 60,
}, async () => {
  const seed = pickSeed()
  const random = seededRandom(seed)
  const before = prototypes()
  const sent = new Map<string, Sent>()
  await using server = await startHostile((socket, seen) => {
    const { bytes, ...one } = randomReply(seen, random)
    sent.set(seen.run, one)
    if (one.isIntact) socket.write(bytes)
    else socket.end(bytes)
  })
  const circuit = { failures: Number.POSITIVE_INFINITY }
  await using sender = openSender({ circuit })
  const url = `http://127.0.0.1:${server.port}/`
  const definition = { type: 'http', url, allowPrivate: true } as const
  const texts = new Map<string, string>()
  const made = createHttpHandler(definition, { sender, env: {} })
  const handler: Handler = {
    ask: async (call) => {
      const reply = await made.ask(call)
      texts.set(call.envelope.run, reply.text)
      return reply
    },
  }
  const point = points['tool.guard']
  const hook = bindHook(
    { on: 'tool.guard', timeoutMs: 60_000, handler: definition },
    {
      ...{ name: 'judge', point, handler, mustNameRun: true },
      callModel: () => Promise.reject(new Error('no model')),
    },
  )
  const records: HookRecord[] = []
  const engine = createEngine(compileTable([hook]), {
    breakerFailures: count,
    records: { end: ({ record }) => records.push(record) },
  })
  let left = count
  const work = async () => {
    while (left-- > 0) await engine.run(point, guardedCall, { scope })
  }
  await Promise.all(Array.from({ length: atOnce }, work))

  expect(records).toHaveLength(count)
  const ends = { proceed: 0, reject: 0, ask: 0, failed: 0 }
  for (const { dispatch, state, answer } of records) {
    const run = `${dispatch}/judge`
    const told = `seed ${seed}: ${JSON.stringify([sent.get(run), texts.get(run)])}`
    if (state !== 'completed') {
      ends.failed++
      continue
    }
    if (answer !== 'proceed' && answer !== 'reject' && answer !== 'ask') {
      throw new Error(`An answer that the point does not have: ${told}`)
    }
    ends[answer]++
    checkAnswer({
      answer,
      run,
      text: texts.get(run),
      sent: sent.get(run),
      told,
    })
  }
  expect(prototypes()).toEqual(before)
  // All kinds of ends came up, so that the comparison says something.
  expect(Math.min(...Object.values(ends))).toBeGreaterThan(count / 1_000)
})

interface Accepted {
  readonly answer: string
  readonly run: string
  readonly text: string | undefined
  readonly sent: Sent | undefined
  readonly told: string
}

function checkAnswer({ answer, run, text, sent, told }: Accepted): void {
  if (text === undefined || sent === undefined) {
    throw new Error(`An answer to nothing: ${told}`)
  }
  if (sent.isIntact && text !== sent.body) {
    throw new Error(`Read what was not sent: ${told}`)
  }
  const isBlank = /^\ufeff?[ \t\r\n]*$/.test(text)
  if (sent.isIntact && !sent.isJson && text !== '') {
    throw new Error(`Read what is not JSON: ${told}`)
  }
  // To refuse takes less than to let something happen.
  if (answer === 'reject') return
  if (judgeAnswer(text, run)?.type !== answer) {
    throw new Error(`Accepted what is no answer: ${told}`)
  }
  const named: unknown = isBlank
    ? run
    : JSON.parse(text.replace('\ufeff', '')).run
  if (named !== run) throw new Error(`Accepted another run: ${told}`)
}

const types = [
  ...['application/json', 'application/json', 'application/json'],
  ...['Application/JSON; charset=utf-8', 'text/html', 'text/json', ''],
]

/** An answer, changed in many ways, in a reply that may be changed as well. */
function randomReply({ run }: Seen, random: () => number) {
  const pick = <T>(list: readonly T[]): T =>
    // The index is always within the list, which is never empty.
    list[Math.floor(random() * list.length)] as T
  let body = fuzzedAnswer(random).replaceAll('run-1', run).toWellFormed()
  if (random() < 0.5) body = body.replace('{', `{"run":"${run}",`)
  const type = pick(types)
  const isPacked = random() < 0.2
  const isOdd = random() < 0.05
  const status = isOdd ? pick([204, 201, 302, 404, 500, 503]) : 200
  const bytes = rawReply({
    status,
    headers: {
      'content-type': type,
      ...(isPacked && { 'content-encoding': 'gzip' }),
    },
    body: isPacked ? gzipSync(body) : body,
  })
  const isJson = /^application\/json/i.test(type)
  const isIntact = random() < 0.95
  if (!isIntact) damage(bytes, random)
  // By its status it has no body, whatever comes after it.
  return { bytes, body: status === 204 ? '' : body, isJson, isIntact }
}

function damage(bytes: Buffer, random: () => number): void {
  const changes = 1 + Math.floor(random() * 4)
  for (let change = 0; change < changes; change++) {
    const at = Math.floor(random() * bytes.length)
    bytes[at] = Math.floor(random() * 256)
  }
}

function prototypes(): readonly (readonly string[])[] {
  const all = [Object.prototype, Array.prototype, String.prototype]
  return all.map((one) => Reflect.ownKeys(one).map(String))
}

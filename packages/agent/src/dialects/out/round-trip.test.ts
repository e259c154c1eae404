import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileTable, createEngine, type Outcome } from 'hookline'
import type { PointName } from 'hookline/lifecycle'
import { afterAll, describe, expect, test } from 'vitest'
import type {
  CommandEnd,
  CommandRunner,
} from '../../handlers/command/command-runner.ts'
import { allCapabilities, type Capability } from '../capability.ts'
import { ownNameOf } from '../copilot/moments.ts'
import type { DialectName } from '../dialect.ts'
import { askPoint, textsOf } from '../fixtures/hook-bench.ts'
import { dialects, fileOf } from '../fixtures/hook-files.ts'
import { inputFor } from '../fixtures/moments.ts'
import { answerAs, type HookReply } from './answer-as.ts'
import { type ExpectedOut, insteads } from './expected.ts'
import { texts, wantingHook } from './fixtures/wanting-hook.ts'
import { capabilitiesOf, kindOf } from './product.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-out-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Case {
  readonly dialect: DialectName
  readonly event: string
  readonly capability: Capability
}

/** The point at which our hook has its say. */
function pointOf({ dialect, event, capability }: Case): PointName | undefined {
  const [point] = dialects[dialect].events[event] ?? []
  const isPrompt = point === 'turn.pre_turn'
  return isPrompt && capability === 'rewrite-prompt' ? 'turn.input' : point
}

/** Our hook inside the product, whose hook files run here: in after out. */
async function goRound(at: Case, isStrict = false) {
  const { dialect, event, capability } = at
  const point = pointOf(at)
  const hook = point && wantingHook(point, capability)
  if (point === undefined || hook === undefined) throw new Error('impossible')
  const inner = createEngine(compileTable([hook]))
  const replies: HookReply[] = []
  const runner: CommandRunner = {
    async run({ stdin: stdinJson }) {
      const options = { engine: inner, isStrict }
      const reply = await answerAs(dialect, { event, stdinJson }, options)
      replies.push(reply)
      return endOf(reply)
    },
    close: async () => {},
  }
  const source = { file: 'hooks.json', layer: 'user' as const }
  const text = JSON.stringify(fileOf[dialect](event, 'hookline', {}))
  const { hooks } = dialects[dialect].readFile(text, source)
  const parts = {
    ...{ runner, env: {}, projectDir: folder },
    dataDir: join(folder, 'data'),
  }
  const outer = createEngine(
    compileTable(await dialects[dialect].toHooks(hooks, parts)),
  )
  const [asked] = dialects[dialect].events[event] ?? []
  const place = { cwd: folder }
  const input = inputFor(asked ?? point, event, place)
  const outcome = await askPoint(outer, asked ?? point, input, place)
  const next = await askPoint(
    outer,
    'llm.pre_call',
    inputFor('llm.pre_call', '', place),
    place,
  )
  const [reply] = replies
  if (reply === undefined) throw new Error('The hook has not run.')
  return { outcome, next, reply }
}

function endOf({ exitCode, stdout, stderr }: HookReply): CommandEnd {
  return {
    ...{ exitCode, stdout, stderr, signal: undefined },
    ...{ isStdoutCut: false, isStderrCut: false, isTimedOut: false },
    ...{ survivors: [], elapsedMs: 1 },
  }
}

const cases: readonly Case[] = Object.values(dialects).flatMap(
  ({ name: dialect, events }) =>
    Object.keys(events)
      .filter((event) => kindOf(dialect, event) !== undefined)
      .flatMap((event) =>
        allCapabilities
          .map((capability) => ({ dialect, event, capability }))
          .filter(isPossible),
      ),
)

/** Whether a point of ours has such an answer. */
function isPossible(at: Case): boolean {
  const point = pointOf(at)
  return point !== undefined && wantingHook(point, at.capability) !== undefined
}

function expectedOf({ dialect, event, capability }: Case): ExpectedOut {
  const name = dialect === 'copilot' ? ownNameOf(event) : event
  const written = insteads[dialect]?.[name]?.[capability]
  if (written !== undefined) return written
  return capabilitiesOf(dialect, event).includes(capability)
    ? 'done'
    : 'nothing'
}

/** Whether an outcome shows that something has been done, with these words. */
function shows(
  { outcome, next }: { readonly outcome: Outcome; readonly next: Outcome },
  capability: Capability,
  words: string,
): boolean {
  const said = JSON.stringify(outcome)
  const has = said.includes(words)
  switch (capability) {
    case 'deny':
      return (
        has && (outcome.type === 'reject' || said.includes('"type":"deny"'))
      )
    case 'ask':
      return has && outcome.type === 'ask'
    case 'allow':
      return outcome.type === 'respond' && said.includes('"type":"allow"')
    case 'end-turn': {
      const isStopped = outcome.type === 'endTurn' || outcome.type === 'reject'
      const isNext = next.type === 'endTurn' && next.reason.includes(words)
      return (has && isStopped) || isNext
    }
    case 'keep-going':
      return has && outcome.type === 'keepGoing'
    case 'context':
      return textsOf(outcome, 'context').includes(words)
    case 'tell-user':
      return textsOf(outcome, 'notice').includes(words)
    case 'respond':
      return has && outcome.type === 'respond'
    case 'rewrite-args':
    case 'rewrite-prompt':
    case 'rewrite-request':
    case 'rewrite-result':
      return has && outcome.writers.length > 0
  }
}

describe.each(Object.keys(dialects))('%s', (dialect) => {
  const own = cases.filter((one) => one.dialect === dialect)
  test.each(own)('$event: $capability', async (at) => {
    const round = await goRound(at)
    const { capability } = at
    const { reply, outcome } = round
    const expected = expectedOf(at)
    const noted = reply.degradations.map(({ wanted, instead }) => [
      wanted,
      instead,
    ])
    if (expected === 'done') {
      expect({ noted, reply }).toMatchObject({ noted: [] })
      expect({
        shown: shows(round, capability, texts[capability]),
        outcome,
        reply,
      }).toMatchObject({ shown: true })
      return
    }
    expect(noted).toContainEqual([capability, expected])
    if (expected !== 'nothing') {
      expect({
        shown: shows(round, expected, texts[capability]),
        outcome,
        reply,
      }).toMatchObject({ shown: true })
      expect(reply.isEnforced).toBe(true)
      return
    }
    const isRefusal = ['deny', 'ask', 'end-turn'].includes(capability)
    expect(reply.isEnforced).toBe(!isRefusal)
    if (isRefusal) expect(reply.stderr).not.toBe('')
    expect(shows(round, 'allow', '')).toBe(false)
  })

  const rewrites = own.filter(
    (at) => at.capability.startsWith('rewrite') && expectedOf(at) === 'nothing',
  )
  test.each(rewrites)('$event: $capability, strictly', async (at) => {
    const round = await goRound(at, true)
    const { reply } = round
    const wanted = [at.capability, 'deny']
    const noted = reply.degradations.map((one) => [one.wanted, one.instead])
    expect(noted).toContainEqual(wanted)
    const can = capabilitiesOf(at.dialect, at.event)
    const isRefused = reply.isEnforced && round.outcome.type !== 'proceed'
    const isEnded = reply.isEnforced && can.includes('end-turn')
    expect(isRefused || isEnded || !reply.isEnforced).toBe(true)
    if (can.includes('deny')) expect(isRefused).toBe(true)
  })
})

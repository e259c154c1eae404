import fc from 'fast-check'
import {
  defineHook,
  type HoldBack,
  type Hook,
  proceed,
  reject,
  respond,
} from 'hookline'
import {
  type AgentEvent,
  llmError,
  llmPostCall,
  type ModelContent,
  type TextEvent,
  turnOutput,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createAgent } from '../create-agent.ts'
import { type ScriptStep, scriptedModel } from '../testing/index.ts'

type Kind = 'text' | 'reasoning'

const canary = '\u{1f407}'
const anyKind = fc.constantFrom<Kind>('text', 'reasoning')
const anyText = fc
  .array(fc.constantFrom('Yes. ', 'no', '\n', canary, '。', ' '), {
    minLength: 1,
    maxLength: 6,
  })
  .map((pieces) => pieces.join(''))
const anyContent: fc.Arbitrary<ModelContent> = fc.array(
  fc.record({ type: anyKind, text: anyText }),
  { minLength: 1, maxLength: 4 },
)
const anyChunks = fc.integer({ min: 1, max: 9 })
const anyHold: fc.Arbitrary<HoldBack> = fc.oneof(
  fc.constantFrom<HoldBack>('all', 'sentence', 'none'),
  fc.record({ window: fc.integer({ min: 1, max: 5 }) }),
)
const anyPoint = fc.constantFrom(llmPostCall, turnOutput)

async function watch(script: readonly ScriptStep[], hooks: readonly Hook[]) {
  const agent = createAgent({ model: scriptedModel(script), hooks })
  const turn = agent.run('Go.')
  const events: AgentEvent[] = []
  for await (const one of turn) events.push(one)
  return { events, result: await turn.result }
}

function isText(one: AgentEvent): one is AgentEvent & TextEvent {
  return /^(?:text|reasoning)-/.test(one.type)
}

function said(events: readonly AgentEvent[], kind: Kind): string {
  return events
    .filter(isText)
    .map((one) => ('text' in one && one.type.startsWith(kind) ? one.text : ''))
    .join('')
}

function contentOf(content: ModelContent, kind: Kind): string {
  return content
    .map((block) => (block.type === kind && 'text' in block ? block.text : ''))
    .join('')
}

test('F140 what gates let pass goes out whole and once, however they hold it back', async () => {
  const anyGate = fc.record({ on: anyPoint, holdBack: anyHold })
  const property = fc.asyncProperty(
    anyContent,
    anyChunks,
    fc.array(anyGate, { maxLength: 3 }),
    async (content, chunks, gates) => {
      const hooks = gates.map((gate, index) =>
        defineHook({ name: `gate-${index}`, ...gate, run: () => proceed }),
      )
      const { events } = await watch([{ content, chunks }], hooks)
      for (const kind of ['text', 'reasoning'] as const) {
        expect(said(events, kind)).toBe(contentOf(content, kind))
      }
      const all = content.map((block) => ('text' in block ? block.text : ''))
      const told = events.filter(isText)
      const order = told.map((one) => ('text' in one ? one.text : ''))
      expect(order.join('')).toBe(all.join(''))
    },
  )
  await fc.assert(property, { numRuns: 150 })
})

test('F140 of what a gate refuses, no more has gone out than it lets out before', async () => {
  const property = fc.asyncProperty(
    anyText,
    anyChunks,
    anyPoint,
    fc.constantFrom<HoldBack>('all', { window: 3 }),
    async (text, chunks, on, holdBack) => {
      const gate = defineHook({
        name: 'gate',
        on,
        holdBack,
        run: () => reject('No.'),
      })
      const { events, result } = await watch([{ text, chunks }], [gate])
      const points = Array.from(text)
      const free = holdBack === 'all' ? 0 : Math.max(0, points.length - 3)
      const early = points.slice(0, free).join('')
      const told = said(events, 'text').replace('[withheld: No.]', '')
      expect(early).toBe(told)
      expect(result.status).toBe('withheld')
    },
  )
  await fc.assert(property, { numRuns: 150 })
})

test('F140 nothing of an attempt that failed goes out when another one follows', async () => {
  const gate = defineHook({ name: 'gate', on: llmPostCall, run: () => proceed })
  const retry = defineHook({
    name: 'retry',
    on: llmError,
    run: () => respond({ type: 'retry', afterMs: 0 }),
  })
  const anyFailure = fc.record({
    text: anyText,
    chunks: anyChunks,
    cutAfter: fc.nat(9),
  })
  const property = fc.asyncProperty(
    fc.array(anyFailure, { minLength: 1, maxLength: 3 }),
    async (failures) => {
      const script = [...failures, { text: 'Done.' }]
      const { events } = await watch(script, [gate, retry])
      expect(said(events, 'text')).toBe('Done.')
      expect(JSON.stringify(events)).not.toContain(canary)
    },
  )
  await fc.assert(property, { numRuns: 60 })
})

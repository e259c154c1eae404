import type { GrantedCall, ModelRequest } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createReceipts } from '../seal/receipts.ts'
import { sealCall } from '../seal/seal-call.ts'
import { scriptedModel } from '../testing/index.ts'
import type { CallFlow, PassedCall } from './call-flow.ts'
import { executeCall } from './execute-call.ts'
import { recorder } from './fixtures/tool-bench.ts'
import { generate } from './model-port.ts'
import type { Turn } from './turn.ts'

const scope = {
  agent: 'main',
  origin: 'user',
  coreType: 'loop',
  sessionId: 's',
  turnId: 't',
} as const

const call: GrantedCall = {
  id: 'c1',
  tool: 'write',
  owner: 'agent',
  args: { x: 1 },
  safety: 'mutating',
  grant: {
    decision: 'allow',
    sandbox: 'none',
    roots: [],
    network: 'none',
    timeoutMs: 1_000,
    maxOutputBytes: 1_000,
  },
}

/** The executor and the model port, with no pipeline before them. */
function bare() {
  const alarms: string[] = []
  const receipts = createReceipts((code) => alarms.push(code))
  const alarm = (code: string) => alarms.push(code)
  const { tool, ran } = recorder('write')
  // Whoever is called without a receipt needs no more of a turn than this.
  const turn = { parts: { receipts, alarm }, signal: {} } as unknown as Turn
  const flow = { turn, scope } as unknown as CallFlow
  const owned = { tool, owner: 'agent', definitionHash: 'd' }
  const sealed = sealCall(call, 'd', scope)
  const passed: PassedCall = {
    type: 'passed',
    owned,
    sealed,
    questions: [],
  }
  return { alarms, receipts, ran, turn, flow, passed, sealed }
}

test('T27 the executor runs nothing without a receipt, and raises an alarm', async () => {
  const { alarms, ran, flow, passed } = bare()
  const executed = async () => executeCall(flow, passed, undefined)
  await expect(executed()).rejects.toMatchObject({ code: 'no-receipt' })
  expect(ran).toEqual([])
  expect(alarms).toHaveLength(1)
})

test('T27 the executor runs nothing on a receipt for another call', async () => {
  const { alarms, receipts, ran, flow, passed, sealed } = bare()
  const receipt = receipts.mint({ ...sealed })
  const executed = async () => executeCall(flow, passed, receipt)
  await expect(executed()).rejects.toMatchObject({ code: 'no-receipt' })
  expect(ran).toEqual([])
  expect(alarms).toHaveLength(1)
})

test('T27 the executor runs a call once on one receipt', async () => {
  const { alarms, receipts, ran, flow, passed, sealed } = bare()
  const receipt = receipts.mint(sealed)
  await executeCall(flow, passed, receipt)
  const again = async () => executeCall(flow, passed, receipt)
  await expect(again()).rejects.toMatchObject({ code: 'no-receipt' })
  expect(ran).toEqual([{ x: 1 }])
  expect(alarms).toHaveLength(1)
})

test.each([
  ['arguments', { args: { x: 99 } }],
  ['grant', { grant: { ...call.grant, timeoutMs: 9_999 } }],
])(
  'T19 the executor refuses a call with other %s than were sealed, and raises an alarm',
  async (_name, changes) => {
    const { alarms, receipts, ran, flow, passed, sealed } = bare()
    const forged = Object.freeze({ ...sealed, ...changes })
    const receipt = receipts.mint(forged)
    const wrong = { ...passed, sealed: forged }
    const { result } = await executeCall(flow, wrong, receipt)
    expect(result).toMatchObject({ isError: true, error: 'dispatch' })
    expect(ran).toEqual([])
    expect(alarms).toEqual(['broken-seal'])
  },
)

test('T27 the model port sends nothing without a receipt for this very request', async () => {
  const { alarms, receipts, turn } = bare()
  const model = scriptedModel([{ text: 'hello' }])
  const request: ModelRequest = {
    model: 'm',
    messages: [],
    tools: [],
    settings: {},
  }
  const wrong = receipts.mint({ ...request })
  for (const receipt of [undefined, wrong]) {
    const sent = async () => generate(turn, model, request, receipt, undefined)
    await expect(sent()).rejects.toMatchObject({ code: 'no-receipt' })
  }
  expect(model.requests).toEqual([])
  expect(alarms).toHaveLength(2)
})

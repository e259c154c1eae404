import { defineHook, proceed } from 'hookline'
import {
  type BoundTool,
  type JsonObject,
  type SealedCall,
  toolGuard,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  type CallSealed,
  createPolicy,
  createRuntime,
  defineTool,
  type PolicyOptions,
  type RuntimeOptions,
  type ToolInput,
  type ToolSpec,
} from '../index.ts'
import { scriptedModel } from '../testing/index.ts'
import { canonicalJson } from './canonical-json.ts'
import { sealCall } from './seal-call.ts'
import { sha256 } from './sha256.ts'

interface Moment {
  readonly sessionId?: string
  readonly turnId?: string
  readonly callId?: string
  readonly args?: JsonObject
  readonly toolName?: string
  readonly definition?: Partial<ToolSpec<ToolInput>>
  readonly policy?: PolicyOptions
  readonly owner?: 'agent' | 'runtime'
  readonly said?: string
  readonly hooks?: RuntimeOptions['hooks']
  readonly cwd?: string
}

const sha256Pattern = /^[0-9a-f]{64}$/

/** Seals one call in a moment that is the same but for what is given. */
async function sealIn(moment: Moment = {}): Promise<string> {
  const { seal } = await sealedIn(moment)
  return seal
}

async function sealedIn(moment: Moment = {}): Promise<SealedCall> {
  const {
    sessionId = 's',
    turnId = 't',
    callId = 'c',
    toolName = 'write',
  } = moment
  const { args = { a: 1, b: { c: 2, d: 3 } }, owner = 'agent' } = moment
  const calls = [{ tool: toolName, id: callId, args }]
  const model = scriptedModel([{ calls }, { text: 'done' }])
  const seals: CallSealed[] = []
  const tool: BoundTool = defineTool({
    name: toolName,
    description: 'Writes.',
    input: { type: 'object' },
    safety: 'mutating',
    execute: () => 'ran',
    ...moment.definition,
  })
  const runtime = createRuntime({
    nextId: () => turnId,
    policy: createPolicy({ mode: 'open', ...moment.policy }),
    models: { resolve: () => model },
    hooks: moment.hooks ?? [],
    tools: owner === 'runtime' ? [tool] : [],
    store: {
      load: () => undefined,
      create: () => {},
      delete: () => {},
      append: (_session, entries) => {
        for (const one of entries) if (one.type === 'call-seal') seals.push(one)
      },
    },
  })
  const tools = owner === 'agent' ? [tool] : []
  await runtime.register(
    { name: 'main', model: 'm', instructions: '' },
    { tools },
  )
  const { cwd } = moment
  const session = await runtime.openSession({
    agent: 'main',
    id: sessionId,
    ...(cwd !== undefined && { cwd }),
  })
  await session.send(moment.said ?? 'go').result
  const [sealed] = seals
  if (sealed === undefined) throw new Error('The call was not sealed.')
  return sealed.call
}

test('a seal is a SHA-256, the same for the same call in the same moment', async () => {
  const seal = await sealIn()
  expect(seal).toMatch(sha256Pattern)
  expect(await sealIn()).toBe(seal)
})

test('T19 a seal differs if any part of what it binds differs', async () => {
  const moments: Record<string, Moment> = {
    'as it is': {},
    'the session': { sessionId: 's2' },
    'the turn': { turnId: 't2' },
    'the call id': { callId: 'c2' },
    'the tool': { toolName: 'write2' },
    'the description': { definition: { description: 'Writes more.' } },
    'the schema': {
      definition: { input: { type: 'object', maxProperties: 9 } },
    },
    'the safety class': { definition: { safety: 'destructive' } },
    idempotence: { definition: { idempotent: true } },
    'the timeout of the tool': { definition: { timeoutMs: 5 } },
    'the owner': { owner: 'runtime' },
    'an argument': { args: { a: 2, b: { c: 2, d: 3 } } },
    'a nested argument': { args: { a: 1, b: { c: 2, d: 4 } } },
    'a further argument': { args: { a: 1, b: { c: 2, d: 3 }, e: null } },
    'the type of an argument': { args: { a: '1', b: { c: 2, d: 3 } } },
    'no argument': { args: {} },
    'the roots': { policy: { roots: ['/a'] } },
    'more roots': { policy: { roots: ['/a', '/b'] } },
    'the sandbox': { policy: { sandbox: 'read_only' } },
    'the network': { policy: { network: 'all' } },
    'the hosts': { policy: { network: { hosts: ['a.example'] } } },
    'the timeout of the grant': { policy: { timeoutMs: 7 } },
    'the output cap': { policy: { maxOutputBytes: 99 } },
  }
  const seals = new Map<string, string>()
  for (const [name, moment] of Object.entries(moments)) {
    const seal = await sealIn(moment)
    expect(seals.get(seal), `${name} makes no difference`).toBeUndefined()
    seals.set(seal, name)
  }
  expect(seals.size).toBe(Object.keys(moments).length)
})

test('the order of the keys of arguments makes no difference to the seal', async () => {
  const other = await sealIn({ args: { b: { d: 3, c: 2 }, a: 1 } })
  expect(other).toBe(await sealIn())
})

test('what a seal does not bind makes no difference to it', async () => {
  const guard = defineHook({ name: 'g', on: toolGuard, run: () => proceed })
  const seal = await sealIn()
  expect(await sealIn({ hooks: [guard] })).toBe(seal)
  expect(await sealIn({ said: 'something else' })).toBe(seal)
})

test('a tool that was named after another does not take over its seal', async () => {
  const one = await sealIn({ toolName: 'ab', callId: 'c' })
  const other = await sealIn({ toolName: 'a', callId: 'bc' })
  expect(one).not.toBe(other)
})

/** As anybody can work it out, from the journal. */
function sealOf(call: SealedCall, session: string, turn: string): string {
  const { id, tool, owner, definitionHash, grant, args } = call
  const terms = sha256(canonicalJson([tool, owner, definitionHash, grant]))
  return sha256(canonicalJson([session, turn, id, terms, args]))
}

test('anybody can check a seal: it is the digest of the list of what it binds', async () => {
  const call = await sealedIn()
  expect(sealOf(call, 's', 't')).toBe(call.seal)
})

test('a seal does not depend on what was sealed before', async () => {
  const { seal: _, definitionHash: __, ...call } = await sealedIn()
  const narrow = { ...call.grant, timeoutMs: 7 }
  const agent = { agent: 'main', origin: 'user', coreType: 'loop' } as const
  const moment = { ...agent, sessionId: 's' }
  for (let round = 0; round < 3; round++) {
    for (const grant of [call.grant, narrow, { ...narrow }]) {
      for (const owner of ['a', 'b']) {
        for (const hash of ['h1', 'h2']) {
          for (const turnId of ['t', 'u']) {
            const scope = { ...moment, turnId }
            const sealed = sealCall({ ...call, owner, grant }, hash, scope)
            expect(sealed.seal).toBe(sealOf(sealed, 's', turnId))
          }
        }
      }
    }
  }
})

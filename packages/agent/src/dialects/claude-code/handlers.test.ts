import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from 'hookline/lifecycle'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttpSender } from '../../handlers/http/create-http-sender.ts'
import { createPolicy, type Runtime } from '../../index.ts'
import { openStage } from '../../runtime/fixtures/stage.ts'
import { tool } from '../../runtime/fixtures/tools.ts'
import { type Script, scriptedModel } from '../../testing/index.ts'
import type { DialectParts } from '../dialect.ts'
import { dialectBench, settingsWith } from './fixtures/dialect-bench.ts'

const bench = dialectBench()
const sender = createHttpSender()
let server: Server
let address = ''
let reply: { status: number; body: string } = { status: 200, body: '' }
const seen: { headers: IncomingMessage['headers']; body: JsonObject }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      seen.push({ headers: request.headers, body })
      response.writeHead(reply.status, { 'content-type': 'application/json' })
      response.end(reply.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  address = `http://127.0.0.1:${port}/hook`
})

afterAll(async () => {
  await sender.close()
  await new Promise((resolve) => server.close(resolve))
  await bench.end()
})

/** What comes of one call of `shell`, with one hook at an event. */
async function callWith(
  event: string,
  entry: JsonObject,
  more: {
    readonly parts?: Partial<DialectParts>
    readonly judge?: Script
    readonly script?: Script
  } = {},
) {
  const { parts = {}, judge = [], script } = more
  let runtime: Runtime | undefined
  const hooks = await bench.hooks(settingsWith(event, entry), {
    sender,
    model: 'judge',
    callModel: async (context, request) => {
      if (runtime === undefined) throw new Error('not yet')
      return runtime.callModel(context, request)
    },
    callTool: async (context, call) => {
      if (runtime === undefined) throw new Error('not yet')
      return runtime.callTool(context, call)
    },
    ...parts,
  })
  const ran: string[] = []
  const tools = [
    tool('shell', () => {
      ran.push('shell')
      return 'ok'
    }),
    tool('mcp__scanner__scan', ({ text }) => {
      ran.push(`scan ${String(text)}`)
      return String(text).includes('rm')
        ? '{"decision":"block","reason":"The scanner says no."}'
        : ''
    }),
  ]
  const judging = scriptedModel(judge)
  const calls = [{ tool: 'shell', args: { command: 'rm x' } }]
  const usual = [{ calls }, { text: 'Done.' }, { text: 'Done again.' }]
  const stage = await openStage(script ?? usual, {
    hooks,
    tools,
    policy: createPolicy({ mode: 'open' }),
    models: { judge: judging },
  })
  runtime = stage.runtime
  const result = await stage.say('Go.')
  await stage.close()
  const said = JSON.stringify(stage.model.requests)
  return { result, ran, said, judging }
}

describe('a request', () => {
  const http = (more: JsonObject = {}) => ({
    type: 'http',
    url: address,
    ...more,
  })
  const deny = JSON.stringify({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'By the server.',
    },
  })

  test('sends what a script would read, and its answer counts', async () => {
    reply = { status: 200, body: deny }
    const { ran, said } = await callWith('PreToolUse', http())
    expect(ran).toEqual([])
    expect(said).toContain('By the server.')
    expect(seen.at(-1)?.body).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'rm x' },
    })
  })

  test('names variables in headers only where it may', async () => {
    reply = { status: 204, body: '' }
    const headers = {
      authorization: 'Bearer $MY_TOKEN',
      'x-other': `\${OTHER}!`,
    }
    const env = { ...bench.parts.env, MY_TOKEN: 'secret', OTHER: 'hidden' }
    const { ran } = await callWith(
      'PreToolUse',
      http({ headers, allowedEnvVars: ['MY_TOKEN'] }),
      {
        parts: { env },
      },
    )
    expect(ran).toEqual(['shell'])
    expect(seen.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'x-other': '!',
    })
  })

  test.each([
    ['a status that is none of success', { status: 500, body: deny }],
    ['a text that is no JSON', { status: 200, body: 'deny' }],
    ['a list', { status: 200, body: '["deny"]' }],
  ])(
    'that comes back with %s lets all go on; strict mode does not',
    async (_, bad) => {
      reply = bad
      expect((await callWith('PreToolUse', http())).ran).toEqual(['shell'])
      const strict = await callWith('PreToolUse', http(), {
        parts: { isStrict: true },
      })
      expect(strict.ran).toEqual([])
      const closed = await callWith('PreToolUse', http({ onFailure: 'block' }))
      expect(closed.ran).toEqual([])
    },
  )

  test('to nobody lets all go on', async () => {
    const entry = http({ url: 'http://127.0.0.1:9/x' })
    expect((await callWith('PreToolUse', entry)).ran).toEqual(['shell'])
  })
})

describe('a prompt', () => {
  const entry = { type: 'prompt', prompt: 'Is this safe? $ARGUMENTS' }
  const says = (answer: object) => [{ text: JSON.stringify(answer) }]
  const no = says({ ok: false, reason: 'It removes x.' })

  test('is asked with the moment, and an ok lets all go on', async () => {
    const { ran, judging } = await callWith('PreToolUse', entry, {
      judge: says({ ok: true }),
    })
    expect(ran).toEqual(['shell'])
    const asked = JSON.stringify(judging.requests[0]?.messages)
    expect(asked).toContain('Is this safe? {\\"session_id')
    expect(asked).toContain('rm x')
    expect(judging.requests[0]?.tools).toEqual([])
  })

  test('that is not ok ends the turn with the call', async () => {
    const { ran, result } = await callWith('PreToolUse', entry, { judge: no })
    expect(ran).toEqual([])
    expect(result.reason).toContain('It removes x.')
  })

  test('with continueOnBlock only denies the call', async () => {
    const going = { ...entry, continueOnBlock: true }
    const { ran, result, said } = await callWith('PreToolUse', going, {
      judge: no,
    })
    expect(ran).toEqual([])
    expect(said).toContain('It removes x.')
    expect(result.text).toBe('Done.')
  })

  test('at Stop makes the turn go on, unless it is impossible', async () => {
    const script = [{ text: 'First.' }, { text: 'Second.' }]
    const judge = [
      ...says({ ok: false, reason: 'No tests.' }),
      ...says({ ok: true }),
    ]
    const { result } = await callWith('Stop', entry, { judge, script })
    expect(result.text).toBe('Second.')
    const never = says({ ok: false, reason: 'x', impossible: true })
    const ended = await callWith('Stop', entry, { judge: never, script })
    expect(ended.result.text).toBe('First.')
  })

  test('at UserPromptSubmit keeps the prompt out', async () => {
    const { result } = await callWith('UserPromptSubmit', entry, { judge: no })
    expect(result).toMatchObject({
      status: 'rejected',
      reason: 'It removes x.',
    })
  })

  test('that takes too long lets all go on', async () => {
    const judge = [{ waitFor: new Promise(() => {}) }]
    const quick = { ...entry, timeout: 0.05 }
    const { ran } = await callWith('PreToolUse', quick, { judge })
    expect(ran).toEqual(['shell'])
  })

  test('that answers in prose allows nothing in strict mode', async () => {
    for (const text of [
      'Looks safe, ok: true',
      '',
      '{"ok":"true"}',
      '[true]',
      '{"ok":true} {"ok":true}',
    ]) {
      const judge = [{ text }]
      const strict = await callWith('PreToolUse', entry, {
        judge,
        parts: { isStrict: true },
      })
      expect(strict.ran).toEqual([])
    }
    const { ran } = await callWith('PreToolUse', entry, {
      judge: [{ text: 'Fine.' }],
    })
    expect(ran).toEqual(['shell'])
  })
})

test('a tool of a server is called with parts of the moment, and its text counts', async () => {
  const entry = {
    type: 'mcp_tool',
    server: 'scanner',
    tool: 'scan',
    input: { text: `\${tool_input.command} by \${tool_name} \${no.such}` },
  }
  const { ran, said } = await callWith('PreToolUse', entry)
  expect(ran).toEqual(['scan rm x by Bash '])
  expect(said).toContain('The scanner says no.')
})

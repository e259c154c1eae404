import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineHook, type Hook, proceed, reject } from 'hookline'
import {
  type AgentScope,
  type JsonObject,
  sessionEnd,
  sessionStart,
  subagentStart,
  toolPreCall,
  turnPreTurn,
} from 'hookline/lifecycle'
import { afterAll, describe, expect, test } from 'vitest'
import type { CommandSpec } from '../handlers/command/command-runner.ts'
import { gate, openStage, type Stage } from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'
import { scriptedModel } from '../testing/index.ts'
import type { DialectName } from './dialect.ts'
import { granted, scope } from './fixtures/inputs.ts'
import { openRuleBench } from './fixtures/rule-bench.ts'
import { loadDialect } from './load-dialect.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-apart-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** As far as these tests look at it; what is of sub-agents, only theirs have. */
interface Stdin extends JsonObject {
  readonly hook_event_name: string
  readonly session_id: string
  readonly agent_id: string
  readonly agent_transcript_path: string
}

interface Told {
  readonly event: string
  readonly stdin: Stdin
  readonly env: CommandSpec['env']
}

interface Family extends Stage {
  /** What scripts were told, in order. */
  readonly told: readonly Told[]
  readonly of: (event: string) => readonly Stdin[]
  readonly leave: () => Promise<void>
}

/** Agent `main` gives its helper the tasks that it is told, one on a line. */
async function openFamily(
  name: DialectName,
  file: JsonObject,
  { hooks = [] }: { readonly hooks?: readonly Hook[] } = {},
): Promise<Family> {
  const dialect = await loadDialect(name)
  const told: Told[] = []
  const source = { file: 'hooks.json', layer: 'project' as const }
  const foreign = await dialect.toHooks(
    dialect.readFile(JSON.stringify(file), source).hooks,
    {
      runner: {
        async run({ stdin: text, env }) {
          const stdin: Stdin = JSON.parse(text)
          told.push({ event: stdin.hook_event_name, stdin, env })
          const variables = { env: { TOKEN: stdin.session_id } }
          const isBegin = stdin.hook_event_name === 'sessionStart'
          return { ...ended, stdout: isBegin ? JSON.stringify(variables) : '' }
        },
        close: async () => {},
      },
      env: {},
      projectDir: folder,
      dataDir: mkdtempSync(join(folder, 'data-')),
    },
  )
  const helper = { name: 'helper', model: 'helper', instructions: '' }
  const stage = await openStage(
    ({ messages }) => {
      const [block] = messages.at(-1)?.content ?? []
      if (block?.type !== 'text') return { text: 'Done.' }
      const tasks = block.text.split('\n')
      return { calls: tasks.map((task) => ({ tool: 'hand', args: { task } })) }
    },
    {
      hooks: [...foreign, ...hooks],
      tools: [
        tool('shell', () => 'ok'),
        tool('hand', async ({ task }, context) => {
          const work = { agent: 'helper', task: String(task) }
          return (await context.delegate(work)).status
        }),
      ],
      models: {
        helper: scriptedModel(({ messages }) => {
          const [block] = messages.at(-1)?.content ?? []
          if (block?.type !== 'text') return { text: 'Did it.' }
          const args = { command: block.text }
          return { calls: [{ tool: 'shell', args }] }
        }),
      },
    },
  )
  await stage.runtime.register(helper)
  return {
    ...stage,
    told,
    of: (event) =>
      told.flatMap((one) => (one.event === event ? [one.stdin] : [])),
    async leave() {
      await stage.close()
    },
  }
}

const ended = {
  exitCode: 0,
  signal: undefined,
  stdout: '',
  stderr: '',
  isStdoutCut: false,
  isStderrCut: false,
  isTimedOut: false,
  survivors: [],
  elapsedMs: 1,
}

const claude = (...events: readonly string[]): JsonObject => ({
  hooks: Object.fromEntries(
    events.map((event) => [
      event,
      [{ hooks: [{ type: 'command', command: 'tell' }] }],
    ]),
  ),
})

const textOf = (data: object) => JSON.stringify(data)
const byText = (one: string, other: string) => one.localeCompare(other)

/** What the shell of the helper was told to do, and in whose session. */
const shells = (family: Family) =>
  family
    .of('PreToolUse')
    .filter(({ tool_name }) => tool_name === 'Bash')
    .map(({ tool_input, session_id, agent_id }) => ({
      task: String(Object(tool_input).command),
      session: session_id,
      agent: agent_id,
    }))

describe('a sub-agent', () => {
  test('is not taken for one that another session was refused', async () => {
    const refusing = defineHook({
      name: 'refuses',
      on: subagentStart,
      match: ({ task }) => task === 'no',
      run: () => reject('Not now.'),
    })
    const file = {
      version: 1,
      hooks: {
        sessionStart: [{ command: 'begin' }],
        preToolUse: [{ command: 'tell' }],
      },
    }
    const options = { hooks: [refusing] }
    const family = await openFamily('cursor', file, options)
    const other = await family.runtime.openSession({ agent: 'main' })
    await family.say('no')
    await other.send('yes').result
    const used = family.told.filter(
      ({ stdin }) => Object(stdin['tool_input']).command === 'yes',
    )
    expect(used).toMatchObject([
      { stdin: { session_id: other.id }, env: { TOKEN: other.id } },
    ])
    await family.leave()
  })

  test('is not taken for one that another session begins at the same time', async () => {
    const { pass, open, reached } = gate()
    const waiting = defineHook({
      name: 'waits',
      on: subagentStart,
      match: ({ task }) => task === 'slow',
      run: async () => {
        await pass()
        return proceed
      },
    })
    const file = claude('PreToolUse')
    const options = { hooks: [waiting] }
    const family = await openFamily('claude-code', file, options)
    const other = await family.runtime.openSession({ agent: 'main' })
    const slow = family.session.send('slow').result
    await reached
    await other.send('quick').result
    open()
    await slow
    expect(shells(family)).toMatchObject([
      { task: 'quick', session: other.id },
      { task: 'slow', session: family.session.id },
    ])
    await family.leave()
  })

  test('is the one that was begun with its task, of several of one turn', async () => {
    const events = ['SubagentStart', 'PreToolUse', 'SubagentStop']
    const family = await openFamily('claude-code', claude(...events))
    await family.say('one\ntwo')
    const begun = family.of('SubagentStart').map(({ agent_id }) => agent_id)
    const worked = shells(family).map(({ agent }) => agent)
    expect(new Set(begun).size).toBe(2)
    expect(worked.toSorted(byText)).toEqual(begun.toSorted(byText))
    const stops = family.of('SubagentStop')
    expect(stops.map(({ agent_id }) => agent_id).toSorted(byText)).toEqual(
      begun.toSorted(byText),
    )
    const written = stops.map(({ agent_id, agent_transcript_path }) => {
      const text = readFileSync(agent_transcript_path, 'utf8')
      const task = text.includes('"one"') ? 'one' : 'two'
      return { task, agent: agent_id }
    })
    const did = shells(family).map(({ task, agent }) => ({ task, agent }))
    expect(new Set(written.map(textOf))).toEqual(new Set(did.map(textOf)))
    await family.leave()
  })

  test('with the task of another one of its turn has an id of its own', async () => {
    const events = ['SubagentStart', 'PreToolUse', 'SubagentStop']
    const family = await openFamily('claude-code', claude(...events))
    await family.say('same\nsame')
    const begun = family.of('SubagentStart').map(({ agent_id }) => agent_id)
    const worked = shells(family).map(({ agent }) => agent)
    expect(new Set(worked).size).toBe(2)
    expect(worked.toSorted(byText)).toEqual(begun.toSorted(byText))
    // Nothing tells which of them it is, and so it is none until one is left.
    for (const { agent_id, agent_transcript_path } of family.of(
      'SubagentStop',
    )) {
      const isNobody = agent_id === 'helper'
      expect(existsSync(agent_transcript_path)).toBe(!isNobody)
    }
    await family.leave()
  })

  test('that was refused in one turn is not taken for one of the next', async () => {
    let isRefused = true
    const refusing = defineHook({
      name: 'refuses',
      on: subagentStart,
      run: () => (isRefused ? reject('Not now.') : proceed),
    })
    const events = ['SubagentStart', 'PreToolUse', 'SubagentStop']
    const file = claude(...events)
    const family = await openFamily('claude-code', file, { hooks: [refusing] })
    await family.say('look')
    isRefused = false
    await family.say('look')
    const [, begun] = family.of('SubagentStart')
    expect(shells(family)).toMatchObject([{ agent: begun?.agent_id }])
    expect(family.of('SubagentStop')).toMatchObject([
      { agent_id: begun?.agent_id },
    ])
    await family.leave()
  })
})

describe('a session', () => {
  const at = (sessionId: string): { scope: AgentScope } => ({
    scope: { ...scope, sessionId },
  })

  test('keeps its variables, however many others begin and end', async () => {
    const hooks = {
      sessionStart: [{ command: 'begin' }],
      preToolUse: [{ command: 'tell' }],
    }
    const { engine, specs } = await openRuleBench(
      await loadDialect('cursor'),
      { version: 1, hooks },
      { speak: () => ({ stdout: '{"env": {"TOKEN": "t"}}' }) },
    )
    const begin = { source: 'new' as const, cwd: '' }
    await engine.run(sessionStart, begin, at('first'))
    for (let number = 0; number < 1_001; number++) {
      await engine.run(sessionStart, begin, at(`s-${number}`))
      const ending = { reason: 'closed' as const }
      await engine.run(sessionEnd, ending, at(`s-${number}`))
    }
    await engine.run(toolPreCall, granted, at('first'))
    expect(specs.at(-1)?.env).toMatchObject({ TOKEN: 't' })
    await engine.run(toolPreCall, granted, at('s-1000'))
    expect(specs.at(-1)?.env).not.toHaveProperty('TOKEN')
  })

  test('is told nothing that a handler says after its end', async () => {
    const { pass, open } = gate()
    const handler = { type: 'command', command: 'late', async: true }
    const { engine } = await openRuleBench(
      await loadDialect('claude-code'),
      { hooks: { PreToolUse: [{ hooks: [handler] }] } },
      {
        runner: {
          async run() {
            await pass()
            return { ...ended, stdout: '{"systemMessage": "Late."}' }
          },
          close: async () => {},
        },
      },
    )
    await engine.run(toolPreCall, granted, at('over'))
    await engine.run(sessionEnd, { reason: 'closed' }, at('over'))
    open()
    await new Promise((resolve) => setImmediate(resolve))
    const content = [{ type: 'text' as const, text: 'Go.' }]
    const next = await engine.run(turnPreTurn, { content }, at('over'))
    expect(next.contributions.all).toEqual([])
  })
})

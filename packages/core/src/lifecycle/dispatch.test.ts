import { expect, test } from 'vitest'
import { createEngine } from '../create-engine.ts'
import { reject, respond, transform } from '../define/answers.ts'
import { defineHook } from '../define/define-hook.ts'
import { type Hook, proceed } from '../engine/index.ts'
import { compileTable } from '../table/compile-table.ts'
import {
  type AgentScope,
  llmPreCall,
  type ModelRequest,
  mergeContext,
  mergeTools,
  permissionRequest,
  promptContext,
  type SealedCall,
  toolBundle,
  toolGuard,
  toolPreCall,
  turnPrePromptContext,
  turnPreToolMaterialization,
} from './index.ts'

const scope: AgentScope = { agent: 'main', origin: 'user', coreType: 'native' }

const call: SealedCall = {
  id: 'call-1',
  tool: 'bash',
  owner: 'os',
  args: { command: 'rm -rf build' },
  safety: 'destructive',
  grant: {
    decision: 'allow',
    sandbox: 'workspace',
    roots: ['/project'],
    network: 'none',
    timeoutMs: 1_000,
    maxOutputBytes: 1_000,
  },
  definitionHash: 'hash',
  seal: 'seal',
}

function engineOf(...hooks: readonly Hook[]) {
  return createEngine(compileTable(hooks))
}

test('a guard that is matched by tool, arguments and agent denies the call', async () => {
  const guard = defineHook({
    name: 'no-rm',
    on: toolGuard,
    match: { tool: 'bash', args: { command: 'rm *' }, agent: 'main' },
    run: () => reject('Nothing is removed here.'),
  })
  const engine = engineOf(guard)
  const denied = await engine.run(toolGuard, call, { scope })
  expect(denied).toMatchObject({ type: 'reject', by: 'no-rm' })
  const other = { scope: { ...scope, agent: 'helper' } }
  const passed = await engine.run(toolGuard, call, other)
  expect(passed.type).toBe('proceed')
})

test('a rewrite changes the arguments and nothing else of the call', async () => {
  const rewrite = defineHook({
    name: 'dry-run',
    on: toolPreCall,
    writes: true,
    run: ({ args }) => transform({ ...args, dryRun: true }),
  })
  const outcome = await engineOf(rewrite).run(toolPreCall, call, { scope })
  const args = { command: 'rm -rf build', dryRun: true }
  expect(outcome.value).toEqual({ ...call, args })
})

test('a hook without the right to approve leaves the question to the user', async () => {
  const run = () => respond({ type: 'allow' } as const)
  const hook = { name: 'auto', on: permissionRequest, run }
  const input = { id: 'question-1', call, questions: [] }
  const ask = async (...capabilities: string[]) => {
    const engine = engineOf(defineHook({ ...hook, capabilities }))
    return engine.run(permissionRequest, input, { scope })
  }
  expect((await ask()).type).toBe('proceed')
  expect(await ask('approve')).toMatchObject({ output: { type: 'allow' } })
})

test('a request as large as a conversation can be changed', async () => {
  const text = 'x'.repeat(2 * 1_048_576)
  const request: ModelRequest = {
    model: 'large',
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
    tools: [],
    settings: {},
  }
  const route = defineHook({
    name: 'route',
    on: llmPreCall,
    writes: true,
    run: (input) => transform({ ...input.request, model: 'small' }),
  })
  const input = { request, attempt: 1 }
  const outcome = await engineOf(route).run(llmPreCall, input, { scope })
  expect(outcome.type).toBe('proceed')
  expect(outcome.value.request.model).toBe('small')
})

test('what hooks contribute to the prompt is merged by weight', async () => {
  const recall = (name: string, weight: number) =>
    defineHook({
      name,
      on: turnPrePromptContext,
      capabilities: ['context'],
      run: (_, context) => {
        const entry = { id: name, domain: 'memory', content: name, weight }
        context.contribute(promptContext(entry))
        return proceed
      },
    })
  const input = { content: [], model: 'large', policies: [], history: [] }
  const engine = engineOf(recall('light', 1), recall('heavy', 2))
  const outcome = await engine.run(turnPrePromptContext, input, { scope })
  const { entries } = mergeContext(outcome.contributions.of(promptContext))
  expect(entries.map(({ hook }) => hook)).toEqual(['heavy', 'light'])
})

test('a tool bundle arrives with its dispatch', async () => {
  const dispatch = () => ({ content: [], isError: false as const })
  const tools = defineHook({
    name: 'memory-tools',
    on: turnPreToolMaterialization,
    capabilities: ['tools'],
    run: (_, context) => {
      const tool = { name: 'recall', description: '', inputSchema: {} }
      const bound = { ...tool, safety: 'read_only', dispatch } as const
      context.contribute(toolBundle({ tools: [bound] }))
      return proceed
    },
  })
  const abilities = {
    tools: true,
    images: false,
    files: false,
    reasoning: false,
  }
  const about = { content: [], model: 'large', policies: [] }
  const outcome = await engineOf(tools).run(
    turnPreToolMaterialization,
    { ...about, toolNames: [], abilities },
    { scope },
  )
  expect(mergeTools(outcome.contributions.of(toolBundle))).toMatchObject({
    type: 'merged',
    tools: [{ name: 'recall', owner: 'memory-tools', dispatch }],
  })
})

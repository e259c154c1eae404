// One turn of an agent, with a scripted model: every point that it passes, what
// hooks say there, and the events that somebody who watches is told.
import {
  createAgent,
  createMemoryApprovals,
  createPolicy,
  defineTool,
} from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import {
  ask,
  deadline,
  defineHook,
  proceed,
  reject,
  respond,
  transform,
} from 'hookline'
import { type SafetyClass, toolGuard, toolPreCall } from 'hookline/lifecycle'
import { printLife, probes } from './support/trace.ts'

const maskTokens = defineHook({
  name: 'mask-tokens',
  on: toolPreCall,
  writes: true,
  match: { args: { url: '*token=*' } },
  run({ args: { url } }) {
    if (typeof url !== 'string') return proceed
    return transform({ url: url.replace(/token=\w+/, 'token=***') })
  },
})

const cachedWeather = defineHook({
  name: 'cached-weather',
  on: toolPreCall,
  after: ['mask-tokens'],
  match: { tool: 'weather' },
  run: () =>
    respond({ isError: false, content: [{ type: 'text', text: 'Sunny' }] }),
})

const noForcePush = defineHook({
  name: 'no-force-push',
  on: toolGuard,
  match: { tool: 'bash', args: { command: '*push --force*' } },
  run: () => reject('Force-pushing is not allowed in this workspace.'),
})

const askBeforeDeleting = defineHook({
  name: 'ask-before-deleting',
  on: toolGuard,
  match: { safety: 'destructive' },
  run: ({ tool }) => ask(`May ${tool} delete things here?`),
})

const policyService = defineHook({
  name: 'policy-service',
  on: toolGuard,
  execution: deadline(50),
  match: { tool: 'deploy' },
  // It hangs. A gate that cannot answer in time does not let anything through.
  run: () => new Promise<never>(() => {}),
})

const model = scriptedModel([
  {
    text: 'I will look around, and tidy up.',
    chunks: 1,
    calls: [
      { tool: 'fetch', args: { url: 'https://api.example/?token=s3cr3t' } },
      { tool: 'weather', args: { city: 'Lisbon' } },
      { tool: 'bash', args: { command: 'git push --force' } },
      { tool: 'rm', args: { path: 'build/' } },
      { tool: 'deploy', args: { to: 'production' } },
    ],
  },
  { text: 'Done, but for two things that I may not do.', chunks: 1 },
])

const approvals = createMemoryApprovals({
  onQuestion: ({ question: { id } }) =>
    void approvals.answer(id, { type: 'allow' }, 'you'),
})

const agent = createAgent({
  model,
  tools: [
    tool('fetch', 'network'),
    tool('weather', 'read_only'),
    tool('bash', 'mutating'),
    tool('rm', 'destructive'),
    tool('deploy', 'mutating'),
  ],
  hooks: [
    ...[maskTokens, cachedWeather, noForcePush, askBeforeDeleting],
    ...[policyService, ...probes],
  ],
  policy: createPolicy({ mode: 'open' }),
  approvals,
})

printLife(agent.runtime.engine)
await agent.run('Tidy up, please.').result
await agent.close()

function tool(name: string, safety: SafetyClass) {
  const input = { type: 'object' }
  const execute = () => 'done'
  return defineTool({ name, description: name, input, safety, execute })
}

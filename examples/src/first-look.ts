import {
  ask,
  compileTable,
  createEngine,
  deadline,
  defineHook,
  proceed,
  reject,
  respond,
  transform,
} from 'hookline'
import { type SealedCall, toolGuard, toolPreCall } from 'hookline/lifecycle'
import { toolCall } from 'hookline/testing'
import { printTrace } from './support/trace.ts'

const maskTokens = defineHook({
  name: 'mask-tokens',
  on: toolPreCall,
  writes: true,
  match: { args: { url: '*token=*' } },
  run({ args }) {
    const { url } = args
    if (typeof url !== 'string') return proceed
    return transform({ ...args, url: url.replace(/token=\w+/, 'token=***') })
  },
})

const cachedWeather = defineHook({
  name: 'cached-weather',
  on: toolPreCall,
  after: ['mask-tokens'],
  match: { tool: 'weather' },
  run: () =>
    respond({
      isError: false,
      content: [{ type: 'text', text: 'Sunny, 21 °C (cached)' }],
    }),
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
  priority: 200,
  execution: deadline(50),
  match: { tool: 'deploy' },
  // It hangs. A gate that cannot answer in time does not let anything through.
  run: () => new Promise<typeof proceed>(() => {}),
})

const engine = createEngine(
  compileTable([
    policyService,
    askBeforeDeleting,
    noForcePush,
    cachedWeather,
    maskTokens,
  ]),
)

const calls: SealedCall[] = [
  toolCall('bash', { command: 'git status' }),
  toolCall('bash', { command: 'git push --force origin main' }),
  toolCall(
    'fetch',
    { url: 'https://api.example/items?token=s3cr3t' },
    'network',
  ),
  toolCall('weather', { city: 'Lisbon' }, 'read_only'),
  toolCall('rm', { path: 'build/' }, 'destructive'),
  toolCall('deploy', { to: 'production' }),
]

for (const call of calls) {
  const before = await engine.run(toolPreCall, call)
  if (before.type !== 'proceed') {
    printTrace(call, [before])
    continue
  }
  // The guard judges the call as the rewriters left it.
  const guarded = await engine.run(toolGuard, { ...call, ...before.value })
  printTrace(call, [before, guarded])
}

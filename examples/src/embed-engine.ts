// The engine alone, in a loop that is not ours: three calls of `engine.run`,
// and the loop has guards, rewriters and an audit.
import assert from 'node:assert/strict'
// #region embed-loop
import {
  compileTable,
  createEngine,
  defineHook,
  definePoint,
  type Hook,
  reject,
  transform,
  type,
} from 'hookline'

interface Call {
  readonly name: string
  readonly input: Readonly<Record<string, string>>
}

const beforeCall = definePoint('loop.before_call', {
  input: type<Call>(),
  subject: 'input', // hooks may change what goes in, never which tool it is
  answers: ['transform', 'reject'],
  fields: { name: ({ name }) => name, input: ({ input }) => input },
})
const afterCall = definePoint('loop.after_call', {
  input: type<{ readonly call: Call; readonly output: string }>(),
  subject: 'output',
  order: 'descending',
  answers: ['transform'],
})

/** Somebody else's loop: the model, the tools and the history are theirs. */
export async function loop(calls: readonly Call[], hooks: readonly Hook[]) {
  const engine = createEngine(compileTable(hooks))
  const history: string[] = []
  for (const call of calls) {
    const before = await engine.run(beforeCall, call)
    if (before.type === 'reject') {
      history.push(`${call.name}: refused by ${before.by}: ${before.reason}`)
      continue
    }
    const output = await runTool(before.value)
    const after = await engine.run(afterCall, { call: before.value, output })
    history.push(`${call.name}: ${after.value.output}`)
  }
  await engine.drain()
  return history
}
// #endregion

async function runTool({ name, input }: Call): Promise<string> {
  return `${name} ran with ${JSON.stringify(input)}, token=abc`
}

// #region embed-hooks
const seen: string[] = []
const hooks = [
  defineHook({
    name: 'in-the-workspace',
    on: beforeCall,
    match: { name: 'read' },
    writes: true,
    run: ({ input }) => transform({ ...input, root: '/workspace' }),
  }),
  defineHook({
    name: 'no-secrets',
    on: beforeCall,
    after: ['in-the-workspace'],
    match: { input: { path: '*.env' } },
    run: () => reject('Secrets are read by people.'),
  }),
  defineHook({
    name: 'mask-tokens',
    on: afterCall,
    writes: true,
    run: ({ output }) => transform(output.replace(/token=\w+/, 'token=***')),
  }),
  defineHook({
    name: 'audit',
    on: beforeCall,
    execution: 'record',
    run: ({ name }, { decision }) => void seen.push(`${name} ${decision.type}`),
  }),
]
// #endregion

const history = await loop(
  [
    { name: 'read', input: { path: 'notes.txt' } },
    { name: 'read', input: { path: '.env' } },
  ],
  hooks,
)
console.log(history.join('\n'))
assert.deepEqual(history, [
  'read: read ran with {"path":"notes.txt","root":"/workspace"}, token=***',
  'read: refused by no-secrets: Secrets are read by people.',
])
assert.deepEqual(seen, ['read proceed', 'read reject'])

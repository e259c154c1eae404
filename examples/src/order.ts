// Order is declared and checked when hooks are loaded; it never depends on who
// was registered first.
import assert from 'node:assert/strict'

// #region order
import { compileTable, defineHook, proceed, reject, transform } from 'hookline'
import { toolPreCall } from 'hookline/lifecycle'

const expandHome = defineHook({
  name: 'expand-home',
  on: toolPreCall,
  writes: true, // it may answer `transform`
  match: { args: { path: '~/*' } },
  run({ args }) {
    const { path } = args
    if (typeof path !== 'string') return proceed
    return transform({ ...args, path: path.replace('~', '/home/ann') })
  },
})

const onlyHome = defineHook({
  name: 'only-home',
  on: toolPreCall,
  after: ['expand-home'], // judges what that one has left
  match: { args: { path: { $not: '/home/ann/*' } } },
  run: () => reject('Only files of Ann.'),
})

const first = defineHook({
  name: 'first',
  on: toolPreCall,
  priority: 10, // lower runs first; default 100
  beforeWrites: true, // it knows that others may still change the call
  run: () => proceed,
})

const table = compileTable([onlyHome, expandHome, first])
const plan = table.plans.get('tool.pre_call')
console.log(plan?.waited.map(({ name }) => name).join(' → '))
// #endregion

assert.deepEqual(
  plan?.waited.map(({ name }) => name),
  ['first', 'expand-home', 'only-home'],
)

// #region order-errors
const wrong = (...hooks: Parameters<typeof compileTable>[0]) => {
  try {
    compileTable(hooks)
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
    return Object(error).code
  }
}
// A gate that would judge before a writer writes:
const early = { ...onlyHome, after: [], priority: 1 }
const code = wrong(early, expandHome)
// Somebody who is not there:
const missing = wrong(onlyHome)
// A circle:
const circle = wrong(onlyHome, { ...expandHome, after: ['only-home'] })
// #endregion

assert.deepEqual(
  [code, missing, circle],
  ['gate-before-writer', 'dependency-missing', 'dependency-cycle'],
)

import {
  compileTable,
  createEngine,
  createMemoryRecords,
  defineHook,
  definePoint,
  proceed,
  type,
} from 'hookline'
import {
  type Counter,
  dispatchCandidate,
  type Kind,
  type ToolCall,
} from './dispatch-candidate.ts'

const beforeTool = definePoint('tool.before', {
  input: type<ToolCall>(),
  answers: ['transform', 'reject'],
})

/** The engine with its defaults, and its records kept in memory. */
export function hookline(kind: Kind, counters: readonly Counter[]) {
  const hooks = counters.map((counter, index) => {
    const count = () => {
      counter.runs++
      return proceed
    }
    return defineHook({
      name: `hook-${index}`,
      on: beforeTool,
      run: kind === 'sync' ? count : async () => count(),
    })
  })
  const records = createMemoryRecords()
  const engine = createEngine(compileTable(hooks), { records })
  return dispatchCandidate(counters, {
    name: 'hookline',
    dispatch: (call) => engine.run(beforeTool, call),
    isRight: (result, call) =>
      result?.type === 'proceed' &&
      result.value === call &&
      result.records.length === hooks.length,
  })
}

import { defineCell, defineHook, proceed, transform } from 'hookline'
import {
  llmPreCall,
  type ModelRequest,
  type Origin,
  type ToolResultBlock,
  turnPreToolMaterialization,
} from 'hookline/lifecycle'
import { defineHooks } from '../../define-hooks.ts'
import { AgentError } from '../../index.ts'
import {
  type PlacedResult,
  resultsIn,
  savedBy,
  shortened,
  tokensOf,
  withResults,
} from './edit.ts'
import { type ContextEditorOptions, contextEditorShape } from './options.ts'

/** Calls that do not carry the conversation. */
const aside: ReadonlySet<Origin> = new Set<Origin>([
  'hook',
  'preflight',
  'compaction',
])

/** Shortens old results of tools in what the model sees, seldom and much. */
export const contextEditor = defineHooks<ContextEditorOptions>({
  name: 'context-editor',
  description: 'Shortens old results of tools in what the model sees.',
  options: contextEditorShape,
  create(given, { name }) {
    const { startShare = 0.5, targetShare = 0.3, keepLatest = 5 } = given
    const { minSavedShare = 0.05, keepCharacters = 200 } = given
    if (targetShare >= startShare) {
      const message = `The options of "${name}" do not fit: targetShare has to be less than startShare.`
      throw new AgentError('invalid-config', message)
    }
    const keptTools = new Set(given.keepTools)
    /** The latest result that is shortened, and with it all before. */
    const upTo = defineCell<{ readonly key: string }>(`${name}:up-to`, {
      initial: () => ({ key: '' }),
      scope: 'session',
    })
    const windows = defineCell<{ readonly tokens: number }>(`${name}:window`, {
      initial: () => ({ tokens: 0 }),
      scope: 'turn',
    })

    /** What becomes of the results up to one; always the same. */
    const editsOf = (results: readonly PlacedResult[]) => {
      const edits = new Map<ToolResultBlock, ToolResultBlock>()
      for (const { result } of results) {
        if (keptTools.has(result.tool)) continue
        const edited = shortened(result, keepCharacters)
        if (edited !== result) edits.set(result, edited)
      }
      return edits
    }
    /** How many results are to be shortened now; 0 where it would not pay. */
    const countNow = (
      request: ModelRequest,
      results: readonly PlacedResult[],
      { done, window }: { readonly done: number; readonly window: number },
    ) => {
      const used = tokensOf(request)
      if (used < startShare * window) return 0
      const last = results.findIndex(({ isNew }) => isNew)
      const end = Math.min(last, results.length - keepLatest)
      let saved = 0
      let count = done
      while (count < end && used - saved > targetShare * window) {
        const [placed] = results.slice(count, ++count)
        for (const [before, after] of editsOf(placed ? [placed] : [])) {
          saved += savedBy(before, after)
        }
      }
      return saved > 0 && saved >= minSavedShare * window ? count : 0
    }

    const measure = defineHook({
      name: `${name}:window`,
      on: turnPreToolMaterialization,
      handler: { version: '1' },
      async run({ abilities }, { state }) {
        const tokens = abilities.contextTokens ?? 0
        await state.update(windows, () => ({ tokens }))
        return proceed
      },
    })
    const edit = defineHook({
      name: `${name}:edit`,
      on: llmPreCall,
      handler: { version: '1' },
      priority: 40,
      writes: true,
      // Without it the model sees more, which no gate minds.
      onFailure: 'open',
      match: (_, { origin }) => !aside.has(origin),
      async run({ request }, { state, diagnose }) {
        const window = given.windowTokens ?? (await state.get(windows)).tokens
        if (window === 0) return proceed
        const results = resultsIn(request.messages)
        if (results.length === 0) return proceed
        const { key } = await state.get(upTo)
        // After a compaction it is gone, and so is all that was shortened.
        const done = results.findIndex((one) => one.key === key) + 1
        const before = editsOf(results.slice(0, done))
        const messages = withResults(request.messages, before)
        const count = countNow({ ...request, messages }, results, {
          done,
          window,
        })
        if (count === 0) {
          if (before.size === 0) return proceed
          return transform({ ...request, messages })
        }
        const next = results[count - 1]?.key ?? ''
        await state.update(upTo, () => ({ key: next }))
        const edits = editsOf(results.slice(0, count))
        diagnose('context-edited', `${edits.size} old results are shortened.`)
        const edited = withResults(request.messages, edits)
        return transform({ ...request, messages: edited })
      },
    })
    return given.windowTokens === undefined ? [measure, edit] : [edit]
  },
})

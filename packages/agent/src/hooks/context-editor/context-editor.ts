import { defineCell, defineHook, proceed, transform } from 'hookline'
import {
  llmPreCall,
  type ModelRequest,
  type ToolResultBlock,
} from 'hookline/lifecycle'
import { defineHooks } from '../../define-hooks.ts'
import { AgentError } from '../../index.ts'
import { ownCalls } from '../shared/turns/own-calls.ts'
import { tokensOf } from '../shared/turns/request-tokens.ts'
import { createWindow } from '../shared/turns/window.ts'
import {
  type PlacedResult,
  resultsIn,
  savedBy,
  shortened,
  withResults,
} from './edit.ts'
import { type ContextEditorOptions, contextEditorShape } from './options.ts'

interface Sizes {
  /** How many results are shortened already. */
  readonly done: number
  readonly contextTokens: number
}

/** Shortens old results of tools in what the model sees, seldom and much. */
export const contextEditor = defineHooks<ContextEditorOptions>({
  name: 'context-editor',
  description: 'Shortens old results of tools in what the model sees.',
  options: contextEditorShape,
  create(given, { name }) {
    const { startShare = 0.5, targetShare = 0.3, keepLatest = 5 } = given
    const { minSavedShare = 0.05, keepChars = 200 } = given
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
    const window = createWindow(name, given.contextTokens)

    /** What becomes of the results up to one; always the same. */
    const editsOf = (results: readonly PlacedResult[]) => {
      const edits = new Map<ToolResultBlock, ToolResultBlock>()
      for (const { result } of results) {
        if (keptTools.has(result.tool)) continue
        const edited = shortened(result, keepChars)
        if (edited !== result) edits.set(result, edited)
      }
      return edits
    }
    /** How many results may be shortened at all. */
    const countOld = (results: readonly PlacedResult[]) => {
      const firstNew = results.findIndex(({ isNew }) => isNew)
      return Math.max(0, Math.min(firstNew, results.length - keepLatest))
    }
    /** How many results are to be shortened now; 0 where it would not pay. */
    const countNow = (
      request: ModelRequest,
      results: readonly PlacedResult[],
      { done, contextTokens }: Sizes,
    ) => {
      const used = tokensOf(request)
      if (used < startShare * contextTokens) return 0
      const end = countOld(results)
      let saved = 0
      let count = done
      while (count < end && used - saved > targetShare * contextTokens) {
        const [placed] = results.slice(count, ++count)
        for (const [before, after] of editsOf(placed ? [placed] : [])) {
          saved += savedBy(before, after)
        }
      }
      return saved > 0 && saved >= minSavedShare * contextTokens ? count : 0
    }

    const edit = defineHook({
      name: `${name}:edit`,
      on: llmPreCall,
      handler: { version: '1' },
      priority: 40,
      writes: true,
      // Without it the model sees more, which no gate minds.
      onFailure: 'open',
      match: ownCalls,
      async run({ request }, { state, diagnose }) {
        const tokens = await window.tokensNow(state)
        if (tokens === 0) return proceed
        const results = resultsIn(request.messages)
        if (results.length === 0) return proceed
        const { key } = await state.get(upTo)
        // After a compaction it is gone, and so is all that was shortened.
        const known = results.findIndex((one) => one.key === key) + 1
        const done = Math.min(known, countOld(results))
        const before = editsOf(results.slice(0, done))
        const messages = withResults(request.messages, before)
        const count = countNow({ ...request, messages }, results, {
          ...{ done, contextTokens: tokens },
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
    return [...window.hooks, edit]
  },
})

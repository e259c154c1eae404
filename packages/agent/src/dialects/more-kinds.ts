import { proceed, transform } from 'hookline'
import { turnInput, turnPostTurn } from 'hookline/lifecycle'
import { textOf } from './alias-call.ts'
import { kindAt } from './kind.ts'

/** Where what the user said can still be put in other words. */
export const promptRewrite = kindAt(turnInput, {
  writes: true,
  capabilities: ['context', 'notice'],
  onFailure: 'open',
  facts: ({ content }, { scope }) =>
    scope.parents === undefined
      ? { kind: 'prompt-rewrite', prompt: textOf(content) }
      : undefined,
  answer({ updatedPrompt }, { content }) {
    if (updatedPrompt === undefined || updatedPrompt === textOf(content)) {
      return proceed
    }
    // What is no text has been seen by nobody, so that it stays.
    const rest = content.filter(({ type }) => type !== 'text')
    return transform([{ type: 'text' as const, text: updatedPrompt }, ...rest])
  },
})

/** The turn is over because somebody has interrupted it. */
export const turnCancelled = kindAt(turnPostTurn, {
  capabilities: ['notice'],
  facts: ({ status }, { scope }) =>
    status === 'cancelled' && scope.parents === undefined
      ? { kind: 'turn-cancelled' }
      : undefined,
  answer: () => proceed,
})

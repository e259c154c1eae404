import type { AgentEvent } from 'hookline/lifecycle'
import { unseenHook } from '../protocol/words/answerer-words.ts'
import {
  type HookVisibility,
  shownEnd,
  shownQuestions,
} from '../service/visible-hooks.ts'

/**
 * An event as those have it who do not run the daemon: the same where they may
 * see all that it names, and undefined where it is not for them.
 */
export function shownEvent(
  event: AgentEvent,
  isVisible: HookVisibility,
): AgentEvent | undefined {
  if ('hook' in event) return isVisible(event.hook) ? event : undefined
  switch (event.type) {
    // It names whoever wrote a piece of the prompt, hidden hooks among them.
    case 'prompt':
      return undefined
    // Without their ends questions and compactions would stay open.
    case 'permission-start': {
      const { question } = event
      const questions = shownQuestions(question.questions, isVisible)
      const isShown = questions === question.questions
      return isShown
        ? event
        : { ...event, question: { ...question, questions } }
    }
    case 'permission-end': {
      const { by } = event
      const isShown =
        by.kind !== 'hook' || by.name === undefined || isVisible(by.name)
      return isShown ? event : { ...event, by: { kind: 'hook' } }
    }
    case 'compaction-end': {
      const { vetoedBy } = event
      const isShown = vetoedBy === undefined || isVisible(vetoedBy)
      return isShown ? event : { ...event, vetoedBy: unseenHook }
    }
    case 'turn-end':
      return shownEnd(event, isVisible)
    // All others are listed, so that a new one has to be thought about.
    case 'turn-start':
    case 'turn-input':
    case 'step-start':
    case 'step-end':
    case 'text-start':
    case 'text-delta':
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-delta':
    case 'reasoning-end':
    case 'tool-start':
    case 'tool-delta':
    case 'tool-end':
    case 'compaction-start':
    case 'usage-delta':
    case 'subagent-start':
    case 'subagent-end':
    case 'gap':
      return event
  }
}

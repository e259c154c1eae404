import type { TextBlock } from 'hookline/lifecycle'

/** Feedback as the model is shown it: marked as a hook's, not the user's words. */
export function renderFeedback(from: string, feedback: string): TextBlock {
  const contained = feedback.replace(/<(?=\s*\/?\s*feedback\b)/gi, '&lt;')
  const text = `<feedback from="${from}">\n${contained}\n</feedback>`
  return { type: 'text', text }
}

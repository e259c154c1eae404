import { turnStop } from 'hookline/lifecycle'
import { marked } from '../prompt/marked.ts'
import { tellInjected } from './edits.ts'
import type { Turn } from './turn.ts'

/** How often hooks keep something going where no limit says so. */
export const defaultMaxContinues = 3

interface Feedback {
  readonly by: string
  readonly feedback: string
}

/** Whether a hook may keep the turn going once more; else it is told why not. */
export function mayKeepGoing(
  { events, limits, progress }: Turn,
  { by: hook }: Feedback,
): boolean {
  const { maxContinues = defaultMaxContinues } = limits
  if (progress.continues < maxContinues) return true
  if (events.isWatched) {
    const message = `"${hook}" would keep the turn going once more, but its limit is ${maxContinues}.`
    const notice = { level: 'warning' as const, message }
    const point = turnStop.name
    void events.emit({ type: 'hook-delta', hook, point, notice })
  }
  return false
}

/** The turn goes on with a hook's feedback. */
export function keepGoing(turn: Turn, { by: hook, feedback }: Feedback): void {
  const { conversation, progress } = turn
  progress.continues++
  conversation.addUser([marked('feedback', { from: hook }, feedback)])
  const point = turnStop.name
  tellInjected(turn, { hook, point, subject: 'feedback', text: feedback })
}

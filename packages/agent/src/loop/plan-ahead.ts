import { freezeDeep } from 'hookline'
import type { PreflightPlan } from 'hookline/lifecycle'
import { errorText } from '../data/error-text.ts'
import { isPreflightPlan } from '../data/shapes.ts'
import type { PreflightTurn } from '../ports/preflight.ts'
import { planLocally } from '../prompt/local-preflight.ts'
import { attemptModel } from './model-attempts.ts'
import { responseOf } from './response-of.ts'
import type { Turn } from './turn.ts'
import { heed } from './wait.ts'

/** Plans what to recall. A preflight is a help: the turn can do without. */
export async function planAhead(turn: Turn): Promise<PreflightPlan> {
  const { parts, progress, signal } = turn
  const { content } = progress
  try {
    const given = parts.preflight.plan(content, describeTurn(turn))
    const plan = await heed(given, signal)
    if (isPreflightPlan(plan)) return plan
    parts.alarm('preflight-failed', 'It gave what is no plan.')
  } catch (error) {
    if (!signal.aborted) parts.alarm('preflight-failed', errorText(error))
  }
  return planLocally(content)
}

function describeTurn(turn: Turn): PreflightTurn {
  const { agent, conversation, progress, signal } = turn
  const origin = 'preflight' as const
  const scope = Object.freeze({ ...progress.scope, origin })
  return {
    scope,
    model: agent.config.model,
    history: [...conversation.shown],
    signal: signal.signal,
    async callModel(request) {
      const own = { ...turn, progress: { ...progress, scope } }
      const options = { isStreamed: false, take: responseOf }
      // A copy: whoever made it may still hold parts of it.
      return await attemptModel(
        own,
        freezeDeep(structuredClone(request)),
        options,
      )
    },
  }
}

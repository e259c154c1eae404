import type { HostParts } from './host-parts.ts'
import type { HostedWorkspace } from './hosted-workspace.ts'

/** Tells streams what happens beside turns; returns what ends that. */
export function followNotices(
  { onChange, questions, runtime, store }: HostedWorkspace,
  { pump, tell }: Pick<HostParts, 'pump' | 'tell'>,
): () => void {
  const unfollow = [
    onChange((state) => {
      const { refusal } = state
      tell('config-reloaded', {
        isTaken: refusal === undefined,
        problems: state.problems.length,
      })
    }),
    questions.onAsked(({ sessionId, callId, agent, questions: asked }) => {
      const shown = asked.map(({ id, header }) => ({ id, header }))
      tell('questions-asked', { callId, agent, questions: shown }, sessionId)
    }),
    // A turn says that it asks before anybody can answer.
    store.approvals.onAsked(({ id: approvalId, sessionId, ...approval }) => {
      const { turnId, callId, tool, agent } = approval
      const asked = { approvalId, turnId, callId, tool, agent }
      // Its event says more, and is in the log before it.
      void pump.flush().then(() => tell('approval-asked', asked, sessionId))
    }),
    runtime.engine.observe((event) => {
      if (event.type === 'alarm') {
        tell('alarm', { code: event.code, about: event.about })
      }
      if (event.type === 'hook-event') tellTitle(event.event, tell)
    }),
  ]
  return () => {
    for (const stop of unfollow) stop()
  }
}

/** Lists that are open look again; what it is called, the store says. */
function tellTitle(told: unknown, tell: HostParts['tell']): void {
  const { type, sessionId }: Partial<Record<string, unknown>> = Object(told)
  if (type !== 'session-title' || typeof sessionId !== 'string') return
  tell('session-titled', {}, sessionId)
}

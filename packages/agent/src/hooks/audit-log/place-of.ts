import type { Actor, AgentScope, JsonObject } from 'hookline/lifecycle'

/** Where something happened, and on whose behalf. */
export function placeOf(scope: AgentScope): JsonObject {
  const { agent, origin, sessionId, turnId, step, actor, parents } = scope
  return {
    ...{ agent, origin },
    ...(sessionId !== undefined && { sessionId }),
    ...(turnId !== undefined && { turnId }),
    ...(step !== undefined && { step }),
    ...(actor && { actor: withOthers(actor) }),
    ...(parents && { parents: [...parents] }),
  }
}

/** Whoever spoke meanwhile has a say in what follows, too. */
function withOthers({ besides, ...actor }: Actor): JsonObject {
  const named = { kind: actor.kind, id: actor.id }
  if (besides === undefined) return named
  return { ...named, besides: besides.map(({ kind, id }) => ({ kind, id })) }
}

import type { Answer, Hook } from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import { askHandlers } from './ask-handlers.ts'
import type { PlannedHook } from './ask-one.ts'
import { bookkeeping } from './bookkeeping.ts'
import { contribute } from './contribute.ts'
import type { AnyContext, DialectParts, ForeignHook } from './dialect.ts'
import type { DialectFacts } from './dialect-facts.ts'
import type { Kind, World } from './kind.ts'
import { kinds } from './kinds.ts'
import { mergeVerdicts } from './merge-verdicts.ts'
import type { Moment } from './moment.ts'
import { SessionMemory } from './session-memory.ts'
import { Transcripts } from './transcript.ts'

/** Beside the time of the slowest handler, for what is ours to do. */
const ownMs = 5_000

/**
 * Makes hooks of another product's. All handlers of an event are one hook at
 * each of its points, as the product merges what they say; the record of a run
 * has a line for each of them.
 */
export function buildHooks(
  facts: DialectFacts,
  foreign: readonly ForeignHook[],
  parts: DialectParts,
): readonly Hook[] {
  if (foreign.length === 0) return []
  const { prefix = facts.name, tools: aliases = {} } = parts
  const memory = new SessionMemory()
  const transcripts = new Transcripts(parts.dataDir, aliases)
  const world: World = { parts, aliases, memory, transcripts }
  const hooks = Object.entries(facts.moments).flatMap(([event, moments]) => {
    const siblings = foreign.filter((hook) => hook.event === event)
    if (siblings.length === 0) return []
    const planned = siblings.map((hook) => plan(hook, siblings, facts, parts))
    return moments
      .flatMap((moment) => kinds[moment])
      .map((kind, index) => {
        const name = index === 0 ? event : `${event}:${kind.point.name}`
        return hookOf(kind, planned, {
          facts,
          world,
          name: `${prefix}:${name}`,
        })
      })
  })
  const dialect = facts.name
  const endSession = (sessionId: string) => facts.endSession?.(sessionId)
  return [...hooks, ...bookkeeping({ world, dialect, prefix, endSession })]
}

function plan(
  hook: ForeignHook,
  siblings: readonly ForeignHook[],
  facts: DialectFacts,
  parts: DialectParts,
): PlannedHook {
  return {
    hook,
    isMeant: facts.compileMatch(hook, parts),
    isSurelyMeant: facts.compileSureMatch?.(hook, parts),
    timeoutMs: facts.timeoutMs(hook, siblings, parts),
    dedupeKey: facts.dedupeKey?.(hook, parts),
  }
}

interface HookWorld {
  readonly facts: DialectFacts
  readonly world: World
  readonly name: string
}

function hookOf(
  kind: Kind,
  planned: readonly PlannedHook[],
  { facts, world, name }: HookWorld,
): Hook {
  const { point, priority, writes = false, capabilities, onFailure } = kind
  const isInOrder = kind.isInOrder === true
  const timeoutMs = timeOf(planned, facts, isInOrder) + ownMs
  const momentFor = (input: unknown, scope: AgentScope) =>
    momentOf(kind, input, scope, world)
  return {
    name,
    on: point,
    handler: { id: name, kind: 'dialect', version: facts.name },
    timeoutMs,
    capabilities,
    ...(priority !== undefined && { priority }),
    ...(onFailure && { onFailure }),
    ...(writes ? { writes, beforeWrites: true } : { beforeWrites: true }),
    match(input: unknown, scope: AgentScope) {
      const moment = momentFor(input, scope)
      return moment !== undefined && planned.some((one) => one.isMeant(moment))
    },
    async run(input: unknown, context: AnyContext): Promise<Answer> {
      // All points of the lifecycle are asked with the scope of an agent.
      const scope = context.scope as AgentScope
      const moment = momentFor(input, scope)
      if (moment === undefined) return { type: 'proceed' }
      const spoken = await askHandlers(planned, moment, {
        facts,
        world,
        context,
        isInOrder,
      })
      const said = mergeVerdicts(spoken)
      for (const { code, message } of said.lapses) {
        context.diagnose(code, message)
      }
      const { dataDir } = world.parts
      contribute(said, kind, { dialect: facts.name, dataDir, context })
      const cwd = moment.cwd
      return kind.answer(said, input, { world, scope, cwd, moment, context })
    },
  }
}

/** Those that run one after the other need all of their times. */
function timeOf(
  planned: readonly PlannedHook[],
  facts: DialectFacts,
  isInOrder: boolean,
): number {
  const times = planned.map((one) => one.timeoutMs)
  return isInOrder || facts.isSerial?.(planned.map(({ hook }) => hook))
    ? times.reduce((sum, time) => sum + time, 0)
    : Math.max(...times)
}

function momentOf(
  kind: Kind,
  input: unknown,
  scope: AgentScope,
  world: World,
): Moment | undefined {
  const { memory, transcripts, parts } = world
  const cwd = scope.cwd || parts.projectDir
  const facts = kind.facts(input, { world, scope, cwd })
  if (facts === undefined) return undefined
  const own = scope.sessionId ?? ''
  const child = memory.children.childOf(own)
  const sessionId = memory.children.rootOf(own)
  const model = memory.modelOf(own)
  return {
    scope,
    sessionId,
    cwd,
    transcriptPath: transcripts.pathOf(sessionId),
    ...(child && { agentId: child.agentId }),
    ...(model !== undefined && { model }),
    ...facts,
  }
}

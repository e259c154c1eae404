import { deadline, defineHook, type Hook, proceed, truncate } from 'hookline'
import {
  type AgentScope,
  type PreflightPlan,
  promptContext,
  turnPostPreflightPromptContext,
  turnPrePromptContext,
} from 'hookline/lifecycle'
import type { FoundMemory, Memories } from '../../index.ts'
import type { AgentMemories } from './agent-memories.ts'
import { memoryDomain, policyIn } from './memory-policy.ts'
import { earlierTexts, textOf } from './plain-text.ts'
import { renderMemories, sourceOf } from './render-memories.ts'

export interface RecallOptions {
  readonly agents: AgentMemories
  readonly memories: Memories
  readonly deadlineMs: number
  /** What the memories of one recall may take of the prompt. */
  readonly maxRecallChars: number
}

const maxQueryPoints = 600
const maxRequests = 4
const maxResults = 20

/** Recalls what the words of the input bring to mind; no model is asked. */
export function deterministicRecallHook(options: RecallOptions): Hook {
  const { agents, memories, deadlineMs, maxRecallChars } = options
  return defineHook({
    name: 'memory:deterministic-recall',
    on: turnPrePromptContext,
    handler: { version: '1' },
    match: (_, scope) => agents.has(scope),
    execution: deadline(deadlineMs),
    onFailure: 'open',
    capabilities: [promptContext.kind],
    async run({ content, policies }, { scope, contribute, diagnose }) {
      if (policyIn(policies)?.read !== true) return proceed
      const limit = agents.configOf(scope)?.recallLimit ?? 0
      const query = cutQuery(textOf(content))
      const spaces = agents.spacesOf(scope)
      const all = await memories.recall(spaces, query, { limit })
      const found = telling(all)
      diagnose('memory.recalled', `${found.length} of at most ${limit}`)
      if (found.length === 0) return proceed
      contribute(
        promptContext({
          id: 'memory-recall',
          domain: memoryDomain,
          content: renderMemories(found),
          sources: found.map(sourceOf),
          maxCodePoints: maxRecallChars,
        }),
      )
      return proceed
    },
  })
}

/**
 * Recalls what the preflight plan asks for; without a plan, what the words of
 * the last few inputs bring to mind. What is there already is left out.
 */
export function activeRecallHook(options: RecallOptions): Hook {
  const { agents, memories, deadlineMs, maxRecallChars } = options
  return defineHook({
    name: 'memory:active-recall',
    on: turnPostPreflightPromptContext,
    handler: { version: '1' },
    match: (_, scope) => agents.has(scope),
    execution: deadline(deadlineMs),
    onFailure: 'open',
    capabilities: [promptContext.kind],
    async run(input, { scope, contribute, diagnose }) {
      const { content, history, policies, plan, context } = input
      if (policyIn(policies)?.read !== true) return proceed
      const limit = agents.configOf(scope)?.recallLimit ?? 0
      const planned = plannedSearches(plan, limit)
      const isPlanned = planned.searches.length > 0
      const searches = isPlanned
        ? planned.searches
        : localSearch([textOf(content), ...earlierTexts(history)], limit)
      const found = await recallAll(options, scope, searches)
      const shown = new Set(context.flatMap(({ sources }) => sources))
      const lines = new Set(context.flatMap((one) => one.content.split('\n')))
      const fresh = found.filter(
        (one) => !shown.has(sourceOf(one)) && !lines.has(renderMemories([one])),
      )
      const source = isPlanned ? 'plan' : 'local'
      diagnose(
        'memory.actively_recalled',
        `${fresh.length} new of ${found.length}, by ${source}; ${planned.refused} requests refused`,
      )
      if (fresh.length === 0) return proceed
      contribute(
        promptContext({
          id: 'memory-active-recall',
          domain: memoryDomain,
          content: renderMemories(fresh),
          sources: fresh.map(sourceOf),
          maxCodePoints: maxRecallChars,
        }),
      )
      return proceed
    },
  })

  async function recallAll(
    { agents: all }: RecallOptions,
    scope: AgentScope,
    searches: readonly Search[],
  ): Promise<readonly FoundMemory[]> {
    const spaces = all.spacesOf(scope)
    const results = await Promise.all(
      searches.map(({ query, limit }) =>
        memories.recall(spaces, query, { limit }),
      ),
    )
    const found = new Map(
      results.flatMap((one) => telling(one).map((two) => [sourceOf(two), two])),
    )
    return [...found.values()]
  }
}

interface Search {
  readonly query: string
  readonly limit: number
}

/**
 * What a model has asked for; what is no request is left out and counted. A
 * local plan has only the words of the input, which were looked for already.
 */
function plannedSearches({ source, recall }: PreflightPlan, limit: number) {
  const all = source === 'model' ? recall : []
  const wanted = all.filter(({ domain }) => domain === memoryDomain)
  const searches = wanted.slice(0, maxRequests).flatMap((one): Search[] => {
    const { query, maxResults: asked = limit } = one
    const isQuery = typeof query === 'string' && query.trim() !== ''
    if (!isQuery || !Number.isInteger(asked) || asked < 1) return []
    return [{ query: cutQuery(query), limit: Math.min(asked, maxResults) }]
  })
  return { searches, refused: wanted.length - searches.length }
}

const textsLookedAt = 3

function localSearch(texts: readonly string[], limit: number): Search[] {
  const query = cutQuery(texts.slice(0, textsLookedAt).join('\n'))
  return query === '' ? [] : [{ query, limit }]
}

function cutQuery(text: string): string {
  return truncate(text.trim(), maxQueryPoints).text
}

/** Of what fits the best, what fits a good deal worse is noise. */
const leastShare = 0.35

function telling(found: readonly FoundMemory[]): readonly FoundMemory[] {
  const best = found[0]?.score ?? 0
  return found.filter(({ score }) => score >= best * leastShare)
}

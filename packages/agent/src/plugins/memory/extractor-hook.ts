import { defineHook, type Hook } from 'hookline'
import {
  type AgentScope,
  audit,
  type PostTurnInput,
  type TurnSummary,
  turnPostTurn,
} from 'hookline/lifecycle'
import type { Memories } from '../../index.ts'
import type { AgentMemories } from './agent-memories.ts'
import { checkFacts } from './fact.ts'
import { placeOf } from './memory-tools.ts'

/** Finds what a turn told. What it gives is checked. */
export type Extract = (
  summary: TurnSummary,
  about: { readonly scope: AgentScope; readonly signal: AbortSignal },
) => Promise<unknown>

export interface ExtractorOptions {
  readonly agents: AgentMemories
  readonly memories: Memories
  readonly extract: Extract
}

/**
 * Keeps what the user told in a turn that went well, when it is over. Whether
 * it may is settled by the turn's policy when the job is made, and by the
 * config once more when the job is done.
 */
export function extractorHook({
  agents,
  memories,
  extract,
}: ExtractorOptions): Hook {
  return defineHook({
    name: 'memory:extractor',
    on: turnPostTurn,
    handler: { version: '1' },
    match: (input, scope) =>
      agents.has(scope) && isEligible(agents, input, scope),
    execution: 'background',
    idempotent: true,
    retry: { type: 'fixed', delayMs: 1_000, maxAttempts: 3 },
    onFailure: 'open',
    capabilities: [audit.kind],
    async run({ summary }, { scope, signal, hook, contribute, diagnose }) {
      const space = agents.spaceOf(scope)
      const isAllowed = agents.has(scope) && agents.outerPolicy(scope).write
      if (space === undefined || !isAllowed) {
        diagnose('memory.extraction_refused', 'not allowed any more')
        return
      }
      const found = await extract(summary, { scope, signal })
      const { facts, refused } = checkFacts(found, summary.userPreview)
      const kept = { added: 0, refreshed: 0, replaced: 0 }
      for (const { text, subject } of facts) {
        const { outcome } = await memories.remember(space, subject, {
          ...{ text, origin: 'extractor', by: hook },
          ...placeOf(scope),
        })
        kept[outcome]++
      }
      const details = { ...kept, refused }
      diagnose('memory.extracted', JSON.stringify(details))
      if (facts.length === 0) return
      contribute(audit({ event: 'memory.extracted', details }))
    },
  })
}

/** Only users are listened to, and only where the model has not kept it. */
function isEligible(
  agents: AgentMemories,
  { status, summary }: PostTurnInput,
  scope: AgentScope,
): boolean {
  if (status !== 'succeeded' || scope.origin !== 'user') return false
  if (summary.userPreview.trim() === '') return false
  const isKept = summary.tools.some(
    ({ tool, status: end }) => tool === 'remember' && end === 'executed',
  )
  return !isKept && agents.mayWrite(scope)
}

import { loadLinearRegex } from '@hookline/agent/config'
import { isUse } from '@hookline/agent/handlers'
import { type Condition, compileCondition, type MatchEngines } from 'hookline'
import type { Workspace } from '../../reload/workspace.ts'
import type { Check, CheckedHook } from './check.ts'

/** What matchers can be tried on. */
export interface KnownTools {
  readonly tools: readonly string[]
  readonly agents: readonly string[]
  /** Tools of MCP servers are known in turns only. */
  readonly hasMcp: boolean
  readonly engines: Partial<MatchEngines>
}

export async function knownTools({
  runtime,
  mcp,
}: Workspace): Promise<KnownTools> {
  const agents = runtime.agents.map(({ name }) => name)
  const tools = agents.flatMap((name) => runtime.toolsOf(name))
  return {
    tools: [...new Set(tools.map(({ name }) => name))],
    agents,
    hasMcp: mcp !== undefined,
    engines: { regex: await loadLinearRegex() },
  }
}

/** Whether anything there is could fit. */
export function checkMatcher(
  { hook, written }: CheckedHook,
  known: KnownTools,
): readonly Check[] {
  if (written === undefined || isUse(written.definition)) return []
  const { match } = written.definition
  if (match === undefined) return []
  const problems = [
    nothingFits(match['tool'], known.tools, 'tool', known),
    nothingFits(match['agent'], known.agents, 'agent', known),
  ].flatMap((problem) => problem ?? [])
  const name = 'matcher'
  if (problems.length === 0) {
    return [{ name, level: 'ok', message: `It runs where ${hook.matcher}.` }]
  }
  return problems.map((message) => ({ name, level: 'warning', message }))
}

function nothingFits(
  condition: unknown,
  names: readonly string[],
  what: 'tool' | 'agent',
  { engines, hasMcp }: KnownTools,
): string | undefined {
  if (condition === undefined) return undefined
  // It was compiled when its file was read.
  const test = compileCondition(condition as Condition, engines)
  if (names.some((name) => test(name))) return undefined
  // What servers have is known only when they are asked, in a turn.
  const mayBeMcp = what === 'tool' && hasMcp && wantsMcp(condition)
  if (mayBeMcp) return undefined
  const there = names.join(', ') || 'none'
  return `There is no ${what} that it matches, so that it never runs; there are: ${there}.`
}

function wantsMcp(condition: unknown): boolean {
  return JSON.stringify(condition).includes('mcp')
}

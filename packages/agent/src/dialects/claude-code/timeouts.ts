import type { DialectParts, ForeignHook } from '../dialect.ts'
import { events } from './events.ts'

const usualMs = 600_000
const promptMs = 30_000
const endMs = { usual: 1_500, most: 60_000 }

/** How long a hook may take: what its file says, else the product's default. */
export function timeoutMsOf(
  hook: ForeignHook,
  siblings: readonly ForeignHook[],
  { env }: Pick<DialectParts, 'env'>,
): number {
  const { event, handler, timeoutMs } = hook
  if (event === 'SessionEnd') return endBudgetMs(siblings, env)
  if (timeoutMs !== undefined) return timeoutMs
  if (handler.type === 'prompt') return promptMs
  return events[event]?.timeoutMs ?? usualMs
}

/** All hooks at the end of a session share one budget; plugins cannot raise it. */
function endBudgetMs(
  siblings: readonly ForeignHook[],
  env: DialectParts['env'],
): number {
  const given = Number(env['CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS'])
  if (Number.isFinite(given) && given > 0) return given
  const asked = siblings
    .filter(({ source }) => source.layer !== 'plugin')
    .map(({ timeoutMs = 0 }) => timeoutMs)
  return Math.min(endMs.most, Math.max(endMs.usual, ...asked))
}

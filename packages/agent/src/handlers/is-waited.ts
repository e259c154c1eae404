import type { Hook } from 'hookline'

/** Whether the answer of a hook counts, so that somebody waits for it. */
export function isWaited({
  on,
  execution,
}: Pick<Hook, 'on' | 'execution'>): boolean {
  if (execution === 'record' || execution === 'background') return false
  return on.flow !== 'observe'
}

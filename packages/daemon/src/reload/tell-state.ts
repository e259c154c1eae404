import type { HooksState } from '@hookline/agent/config'
import type { Log } from '../log/log.ts'

/** Puts into the log what files have come to, and what is wrong with them. */
export function tellState(
  log: Log,
  { refusal, problems, findings, config }: HooksState,
  needsRestart: readonly string[],
): void {
  if (refusal !== undefined) log.error('config-refused', { refusal })
  else log.info('config-loaded', { hooks: config.hooks.length })
  for (const problem of problems) log.warn('config-problem', { ...problem })
  for (const { place, ...finding } of findings) {
    if (finding.severity === 'note') continue
    log.warn('config-problem', { ...finding, ...place })
  }
  if (needsRestart.length === 0) return
  log.warn('restart-needed', { sections: needsRestart })
}

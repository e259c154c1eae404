import type { RunState } from 'hookline'

/**
 * What programs read as a code, as people read it; other words as they are.
 * The hook is given where it is named beside them.
 */
export function reasonWords(reason: string, hook?: string): string {
  const [, failed] = /^hook_error:([\w-]+)$/.exec(reason) ?? []
  if (failed === undefined) return reason
  const how = failed === 'unavailable' ? 'could not be asked' : 'failed'
  const words = `${how} (${failed}), which counts as a refusal`
  return hook === undefined
    ? `a hook ${words}; "hookline runs --state ${stateOf(failed)}" says which`
    : `it ${words}`
}

const states: ReadonlyMap<string, RunState> = new Map([
  ['timed-out', 'timed_out'],
  ['needs-failed', 'skipped'],
  ['quarantined', 'skipped'],
])

/** In which state the run of a hook is that failed so. */
function stateOf(failed: string): RunState {
  return states.get(failed) ?? 'failed'
}

/** Both as one sentence, however the second one ends. */
export function sentence(what: string, why: string): string {
  const end = /[.!?…]$/.test(why) ? '' : '.'
  return `${what}: ${reasonWords(why)}${end}`
}

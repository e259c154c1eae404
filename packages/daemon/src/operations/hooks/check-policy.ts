import type { Point } from 'hookline'
import { points } from 'hookline/lifecycle'
import type { Check, CheckedHook } from './check.ts'

/** Gates that let pass what they should judge, and hooks that do nothing. */
export function checkPolicy({
  hook,
  workspace,
}: CheckedHook): readonly Check[] {
  const checks: Check[] = []
  const held = workspace.switches.quarantineOf(hook.name)
  if (held !== undefined) {
    const message = `It is not run: ${held}.`
    return [{ name: 'quarantine', level: 'error', message }]
  }
  if (!hook.isEnabled) {
    const message = `It does not run: ${hook.disabledBy}.`
    checks.push({ name: 'switch', level: 'warning', message })
    return checks
  }
  if (hook.mode === 'evaluate') {
    const message =
      'It is only evaluated: what it answers is recorded, and changes nothing.'
    checks.push({ name: 'mode', level: 'warning', message })
  }
  const known: Readonly<Record<string, Point>> = points
  const canRefuse = known[hook.point]?.answers.has('reject') ?? false
  const isUnwaited =
    hook.execution === 'record' || hook.execution === 'background'
  const isOpen = hook.onFailure === 'open' || hook.onFailure === 'fallback'
  if (canRefuse && !isUnwaited && isOpen) {
    const message = `It can refuse, but when it fails ${hook.point} goes on without it; set onFailure to closed if it is a gate.`
    checks.push({ name: 'fails-open', level: 'warning', message })
  }
  return checks
}

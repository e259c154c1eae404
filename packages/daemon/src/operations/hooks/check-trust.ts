import { isProjectScope, sourceOf } from '@hookline/agent/config'
import type { Check, CheckedHook } from './check.ts'

/** Whether somebody trusts what came with the project. */
export function checkTrust({
  hook,
  written,
  workspace,
}: CheckedHook): readonly Check[] {
  const name = 'trust'
  if (written === undefined) {
    const isWaiting = hook.disabledBy?.startsWith('nobody trusts') ?? false
    if (!isWaiting) return []
    const message = `It does nothing: ${hook.disabledBy}. Look at it, and trust it.`
    return [{ name, level: 'warning', message }]
  }
  if (!isProjectScope(written.layer)) return []
  const { definition, folder } = written
  const source = sourceOf(definition, { name: written.name, folder })
  const { trust } = workspace.hooks
  const { state, hash, problem } = trust.check(workspace.root, source)
  if (state === 'trusted') {
    return [{ name, level: 'ok', message: 'It is trusted as it is.' }]
  }
  const why = problem === undefined ? '' : ` ${problem}`
  if (state === 'untrusted') {
    const message = `It came with the project, and does nothing until somebody trusts ${hash}.${why}`
    return [{ name, level: 'warning', message }]
  }
  const message = `It has changed since it was trusted, and refuses in its place; look at it, and trust ${hash}.${why}`
  return [{ name, level: 'error', message }]
}

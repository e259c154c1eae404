import type { Hook } from 'hookline'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Workspace } from '../../reload/workspace.ts'
import { isWaitedHook } from './is-waited-hook.ts'
import { bindWritten } from './written-hook.ts'

/** A hook that is to be tried on what happened. */
export interface TestedHook {
  readonly hook: Hook
  /** Lets go of what was started for it. */
  close(): Promise<void>
}

export interface Wanted {
  /** A hook that there is, or one that is only written down. */
  readonly hook: string | Readonly<Record<string, unknown>>
  /** Where it is written down. */
  readonly file?: string | undefined
  /** Which hook of a use that is written down. */
  readonly part?: string | undefined
}

export async function openTested(
  workspace: Workspace,
  { hook: wanted, file, part }: Wanted,
): Promise<TestedHook> {
  const tested =
    typeof wanted === 'string'
      ? { hook: existingHook(workspace, wanted), close: async () => {} }
      : await bindWritten(workspace, wanted, { file, part })
  try {
    checkTestable(tested.hook)
    return { ...tested, hook: alone(tested.hook) }
  } catch (error) {
    await tested.close()
    throw error
  }
}

/** As it is in a plan, or as it is written where it was switched off. */
function existingHook(
  { runtime, switches, hooks }: Workspace,
  name: string,
): Hook {
  for (const agent of runtime.agents) {
    for (const plan of runtime.tableOf(agent.name).plans.values()) {
      const planned = [...plan.waited, ...plan.observers].find(
        (one) => one.name === name,
      )
      if (planned !== undefined) return planned.hook
    }
  }
  const switched = switches.hooks.find((hook) => hook.name === name)
  if (switched !== undefined) return switched
  // Whoever has just written it wonders least about anything else.
  if (hooks.state.untrusted.some((item) => item.name === name)) {
    const message = `Nobody trusts hook "${name}" as it is now, so that it does not run; look at it with "hookline hooks trust".`
    throw new ProtocolError('conflict', message)
  }
  const message = `There is no hook "${name}" that could run; "hookline hooks list" says which there are.`
  throw new ProtocolError('not-found', message)
}

/** Whether it has an answer that could be another. */
function checkTestable(hook: Hook): void {
  const { name, on, handler } = hook
  if (!isWaitedHook(hook)) {
    const message = `Nobody waits for hook "${name}", so that it has no answer that could be another one; try a hook that is waited for.`
    throw new ProtocolError('conflict', message)
  }
  if (handler?.kind === 'prompt') {
    const message = `Hook "${name}" asks a model, which it can only do in a turn that runs; set its mode to evaluate to see what it would answer at ${on.name}.`
    throw new ProtocolError('conflict', message)
  }
}

/** Nobody else is asked with it, and its answer is read as one that counts. */
function alone(hook: Hook): Hook {
  const { after: _, before: __, needs: ___, ...rest } = hook
  return { ...rest, mode: 'enforce', disabled: false } as Hook // less of a hook is one
}

import { ProtocolError } from '../../protocol/errors.ts'
import type { ListedHook } from '../../protocol/schemas/hooks.ts'
import type { HookSwitch } from '../../reload/switches/hook-switches.ts'
import type { Workspace } from '../../reload/workspace.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { nameOf } from '../record-audit.ts'
import { listHooks } from './list-hooks.ts'
import { previewHook } from './preview-hook.ts'

type SwitchOperations = Pick<
  OperationService,
  'previewHook' | 'setHook' | 'setUse' | 'disableAllHooks' | 'enableAllHooks'
>

/**
 * Hooks switched by hand. Nothing here waits for a hook, or for room in the
 * audit log: this is what helps when they are what is broken.
 */
export function switchOperations(workspace: Workspace): SwitchOperations {
  const { switches } = workspace
  return {
    previewHook(input) {
      checkSaid(input)
      return previewHook(workspace, input)
    },
    async setHook(change, { caller }) {
      const { name } = change
      checkSaid(change)
      const { problem } = await switches.set(change, nameOf(caller))
      const hook = listHooks(workspace).find((one) => one.name === name)
      if (hook !== undefined) return { ...hook, ...told(problem) }
      const message = `Hook "${name}" was switched, and is no longer there.`
      throw new ProtocolError('gone', message)
    },
    async setUse({ use, ...change }, { caller }) {
      checkSaid({ ...change, name: use })
      const isOfUse = ({ source }: ListedHook) => source.use === use
      const names = listHooks(workspace).filter(isOfUse).map(named)
      if (names.length === 0) {
        const message = `There is no use "${use}" whose hooks could be switched; "hookline hooks list" says which there are.`
        throw new ProtocolError('not-found', message)
      }
      const changes = names.map((name) => ({ ...change, name }))
      const { problem } = await switches.set(changes, nameOf(caller))
      const items = listHooks(workspace).filter(isOfUse)
      return { items, ...told(problem) }
    },
    async disableAllHooks(order, { caller }) {
      const { disabled, denying, problem } = await switches.disableAll(
        order,
        nameOf(caller),
      )
      return { disabled, denying, ...told(problem) }
    },
    async enableAllHooks(_, { caller }) {
      const { problem } = await switches.enableAll(nameOf(caller))
      return { ok: true, ...told(problem) }
    },
  }
}

const named = ({ name }: { readonly name: string }) => name

function checkSaid({ name, isEnabled, mode }: HookSwitch): void {
  if (isEnabled !== undefined || mode !== undefined) return
  const message = `Nothing is said about hook "${name}"; give isEnabled, mode, or both.`
  throw new ProtocolError('bad-request', message)
}

/** It holds here, and is not kept yet. */
function told(problem: string | undefined) {
  return problem === undefined ? {} : { problem }
}

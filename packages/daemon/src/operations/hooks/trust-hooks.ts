import type { Workspace } from '../../reload/workspace.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { plainData } from '../plain-data.ts'
import { needRoom, recordAudit } from '../record-audit.ts'

export function trustOperations(
  workspace: Workspace,
): Pick<OperationService, 'listUntrusted' | 'trust'> {
  const { hooks } = workspace
  return {
    listUntrusted: () => ({
      items: hooks.state.untrusted.map((item) => {
        const { hash, name, state, text, files, unseen, problems } = item
        const file = fileOf(workspace, name)
        return {
          hash,
          name,
          ...(file !== undefined && { file }),
          shows: plainData({ text, files, unseen, problems }),
          state,
        }
      }),
    }),
    async trust({ hashes }, context) {
      needRoom(workspace)
      const wanted = [...new Set(hashes)]
      const known = new Map(
        hooks.state.untrusted.map(({ hash, name }) => [hash, name]),
      )
      const { refusal } = await hooks.accept(wanted)
      await recordAudit(workspace, context, {
        kind: 'trust.given',
        body: {
          hashes: wanted,
          hooks: wanted.map((hash) => known.get(hash) ?? ''),
        },
      })
      return {
        trusted: wanted.length,
        ...(refusal !== undefined && { refusal }),
      }
    },
  }
}

function fileOf({ hooks }: Workspace, name: string): string | undefined {
  const own = hooks.state.config.hooks.find((hook) => hook.name === name)
  if (own !== undefined) return own.file
  // Handlers of other products' files are named by them.
  const at = name.indexOf('#')
  return at > 0 ? name.slice(0, at) : undefined
}

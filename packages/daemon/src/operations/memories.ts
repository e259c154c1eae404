import type { MemorySpace } from '@hookline/agent'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Workspace } from '../reload/workspace.ts'
import type { OperationService } from '../service/service-parts.ts'
import { seesAll } from '../service/visible-hooks.ts'
import { needRoom, recordAudit } from './record-audit.ts'

type MemoryOperations = Pick<
  OperationService,
  'listMemories' | 'searchMemories' | 'forgetMemory'
>

const defaultLimit = 50

export function memoryOperations(workspace: Workspace): MemoryOperations {
  const { memories } = workspace.store
  return {
    async listMemories({ limit = defaultLimit, after, ...space }, { caller }) {
      const items = await memories.list(spaceFor(caller, space), {
        limit,
        ...(after !== undefined && { after }),
      })
      const last = items.at(-1)
      const isMore = items.length === limit && last !== undefined
      return { items: [...items], ...(isMore && { next: last.name }) }
    },
    async searchMemories({ query, limit = 10, ...space }, { caller }) {
      const found = await memories.recall(spaceFor(caller, space), query, {
        limit,
      })
      return { items: [...found] }
    },
    async forgetMemory({ name, ...space }, context) {
      const own = spaceFor(context.caller, space)
      needRoom(workspace)
      const wasThere = await memories.forget(own, name)
      if (wasThere) {
        const body = { ...own, name }
        await recordAudit(workspace, context, {
          kind: 'memory.forgotten',
          body,
        })
      }
      return { wasThere }
    },
  }
}

interface GivenSpace {
  readonly agent: string
  readonly user?: string | undefined
}

/** What an agent knows of somebody is for them, and for who runs the daemon. */
function spaceFor(caller: Caller, { agent, user }: GivenSpace): MemorySpace {
  if (user === undefined) return { agent }
  if (user === caller.id || seesAll(caller)) return { agent, user }
  const message = `Memories of "${user}" are for "${user}" and for admins; "${caller.id}" is neither.`
  throw new ProtocolError('not-allowed', message)
}

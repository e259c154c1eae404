import type { StoredWake } from '@hookline/agent/durable'
import { ProtocolError } from '../protocol/errors.ts'
import type { Wake } from '../protocol/schemas/events.ts'
import type { SessionService } from '../service/service-parts.ts'
import { actorOf, nameOf } from './caller-counts.ts'
import type { HostParts } from './host-parts.ts'
import { isReserved, objectOf, type WakeDesk } from './wakes.ts'

type WakeService = Pick<
  SessionService,
  'emit' | 'listWakes' | 'createWake' | 'deleteWake'
>

export function wakeOperations(
  { store, runtime }: HostParts,
  desk: WakeDesk,
): WakeService {
  return {
    async emit({ name, data, key }, { caller }) {
      checkName(name)
      const by = nameOf(caller)
      const actor = actorOf(caller)
      const about = { name, data: objectOf(data), key, depth: 0, by, actor }
      const { id, woken } = await desk.emit(about)
      return { id, woken }
    },
    async listWakes({ limit, after }) {
      const { items, next } = await store.wakes.list({
        ...(limit !== undefined && { limit }),
        ...(after !== undefined && { after }),
      })
      return { items: items.map(wakeOf), ...(next !== undefined && { next }) }
    },
    async createWake({ event, agent, sessionId, prompt, isOnce }, { caller }) {
      checkName(event)
      if (!runtime.agents.some(({ name }) => name === agent)) {
        const message = `There is no agent "${agent}"; "hookline agents" lists them.`
        throw new ProtocolError('not-found', message)
      }
      const added = await store.wakes.add({
        event,
        agent,
        by: nameOf(caller),
        ...(sessionId !== undefined && { sessionId }),
        ...(prompt !== undefined && { prompt }),
        ...(isOnce !== undefined && { isOnce }),
      })
      return wakeOf(added)
    },
    async deleteWake({ wakeId }) {
      if (await store.wakes.remove(wakeId)) return { ok: true }
      throw new ProtocolError('not-found', `There is no wake "${wakeId}".`)
    },
  }
}

function checkName(name: string): void {
  if (!isReserved(name)) return
  const message = `Only results of tasks are told as "${name}", and only to whoever has handed them on; take another name.`
  throw new ProtocolError('bad-request', message)
}

function wakeOf(wake: StoredWake): Wake {
  return { ...wake }
}

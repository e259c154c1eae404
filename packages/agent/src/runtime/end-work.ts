import { asError } from '../data/as-error.ts'
import type { RuntimeParts } from './compose-parts.ts'
import type { Session } from './session.ts'

function workOf({ host, sessions }: RuntimeParts, name: string) {
  const isOurs = ({ agent }: Session) => agent === name
  return {
    tasks: [...host.delegations].filter(({ session }) => isOurs(session)),
    open: [...sessions.values()].filter(isOurs),
  }
}

/** Has the turns of an agent end, wherever they run. */
export async function endTurnsOf(
  parts: RuntimeParts,
  name: string,
): Promise<void> {
  const why = `Agent "${name}" is leaving.`
  const { tasks } = workOf(parts, name)
  for (const { session } of tasks) session.cancel(why)
  await Promise.all(tasks.map(({ done }) => done))
  const { open } = workOf(parts, name)
  await Promise.all(open.map((session) => session.detach(why)))
}

/** Settles when the turns of an agent have ended by themselves. */
export async function awaitTurnsOf(
  parts: RuntimeParts,
  name: string,
): Promise<void> {
  const { tasks, open } = workOf(parts, name)
  await Promise.all(tasks.map(({ done }) => done))
  await Promise.all(open.map((session) => session.idle()))
}

/** All of it is let go of, whatever fails; then what failed first is told. */
export async function endAll(parts: RuntimeParts): Promise<void> {
  const { host, sessions, agents, plugins, drain } = parts
  const isKept = host.parts.store !== undefined
  // What is kept can go on later; what is not ends here.
  const end = (one: Session) => (isKept ? one.detach() : one.close())
  const ended = await Promise.allSettled([...sessions.values()].map(end))
  // What comes after a turn still has its agent.
  await drain()
  const left = await Promise.allSettled(
    agents.all.map((agent) => agents.unregister(agent)),
  )
  await drain()
  const [disposed] = await Promise.allSettled([plugins.dispose()])
  host.bus.end()
  for (const one of [...ended, ...left, disposed]) {
    if (one.status === 'rejected') throw asError(one.reason)
  }
}

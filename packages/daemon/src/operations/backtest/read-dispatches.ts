import {
  type DispatchFilter,
  type Given,
  listDispatches,
  type StoredDispatch,
} from '@hookline/agent/durable'
import type { Workspace } from '../../reload/workspace.ts'

const pageSize = 100

/** What was asked of a point, the newest first; at most so many. */
export async function* readDispatches(
  { store }: Workspace,
  { limit, ...filter }: DispatchFilter & { readonly limit: number },
): AsyncGenerator<StoredDispatch> {
  let left = limit
  let after: DispatchFilter['after']
  do {
    const page = await listDispatches(store.parts, {
      ...filter,
      ...(after !== undefined && { after }),
      limit: Math.min(left, pageSize),
    })
    yield* page.dispatches
    left -= page.dispatches.length
    after = page.next
  } while (after !== undefined && left > 0)
}

type Kept = Extract<Given, { readonly input: unknown }>

/** What a hook is tried on: what it was given then, or else the last of all. */
export function givenTo(
  hook: string,
  { runs, given }: StoredDispatch,
): Kept | { readonly lacks: string } {
  const own = runs.find((run) => run.hook === hook)?.given
  const last = runs.findLast((run) => run.given.type !== 'absent')?.given
  const found = own === undefined || own.type === 'absent' ? last : own
  const best = found ?? given
  return best.type === 'absent' ? { lacks: reasons[best.why] } : best
}

const reasons = {
  'not-kept':
    'Nothing is kept of what hooks were given; set the content of runs to redacted or full.',
  cut: 'What hooks were given was too long to be kept whole.',
  unreadable:
    'What hooks were given is encrypted with a key that is not there.',
} as const

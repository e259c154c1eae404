import {
  hookFigures,
  hookHistory,
  listHookNames,
  listRuns,
  usageFigures,
} from '@hookline/agent/durable'
import type { CallContext } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { OutputOf } from '../../protocol/operations.ts'
import type { Workspace } from '../../reload/workspace.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { seesAll } from '../../service/visible-hooks.ts'
import { maySee } from '../visibility.ts'

type Listed = OutputOf<'hookFigures'>['items'][number]

/** How many are asked about at the same time. */
const atOnce = 4

export function figureOperations(
  workspace: Workspace,
): Pick<OperationService, 'hookFigures' | 'usageFigures'> {
  const { parts } = workspace.store
  return {
    async hookFigures({ hook, since, until, spans }, context) {
      const range = {
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
      }
      const names = hook === undefined ? await listHookNames(parts) : [hook]
      const items: Listed[] = []
      for (let at = 0; at < names.length; at += atOnce) {
        context.signal.throwIfAborted()
        const some = await visibleOf(
          names.slice(at, at + atOnce),
          workspace,
          context,
        )
        const figures = some.map((name) =>
          figuresOf(workspace, { hook: name, ...range, spans }),
        )
        items.push(...(await Promise.all(figures)))
      }
      return { items }
    },
    async usageFigures(input) {
      const {
        by,
        since,
        until = nowOf(workspace),
        agent,
        offsetMinutes = 0,
      } = input
      const { items, isCut } = await usageFigures(parts, {
        ...{ by, since, until, offsetMs: offsetMinutes * 60_000 },
        ...(agent !== undefined && { agent }),
      })
      return {
        isCut,
        items: items.map(({ cost, ...item }) => ({
          ...item,
          ...(cost !== undefined && { cost }),
        })),
      }
    },
  }
}

/** As the newest run of a hook says who may see it. */
async function visibleOf(
  names: readonly string[],
  { store }: Workspace,
  { caller }: CallContext,
): Promise<readonly string[]> {
  if (seesAll(caller)) return names
  const found = names.map(async (hook) => {
    const { runs } = await listRuns(store.parts, { hook, limit: 1 })
    const isSeen = runs.some(({ visibility }) => maySee(caller, visibility))
    return isSeen ? [hook] : []
  })
  return (await Promise.all(found)).flat()
}

interface Asked {
  readonly hook: string
  readonly since?: number
  readonly until?: number
  readonly spans: number | undefined
}

async function figuresOf(
  workspace: Workspace,
  { spans, ...asked }: Asked,
): Promise<Listed> {
  const { parts } = workspace.store
  const { latency, ...figures } = await hookFigures(parts, asked)
  const listed = { ...figures, ...(latency !== undefined && { latency }) }
  const { hook, since, until = nowOf(workspace) } = asked
  if (spans === undefined) return listed
  if (since === undefined || since >= until) {
    const message = 'Spans are of a time that has a beginning; give since.'
    throw new ProtocolError('bad-request', message)
  }
  const history = await hookHistory(parts, { hook, since, until, spans })
  const quarantine = workspace.switches.quarantineOf(hook)
  return {
    ...listed,
    causes: history.causes.map((cause) => ({ ...cause })),
    spans: history.spans.map(({ p50, p90, p99, ...span }) => ({
      ...span,
      ...(p50 !== undefined && { p50 }),
      ...(p90 !== undefined && { p90 }),
      ...(p99 !== undefined && { p99 }),
    })),
    breaker: await breakerOf(workspace, hook),
    ...(quarantine !== undefined && { quarantine }),
  }
}

/** As its newest run has it: every process has a breaker of its own. */
async function breakerOf({ store }: Workspace, hook: string) {
  const { runs } = await listRuns(store.parts, { hook, limit: 1 })
  const isOpen = runs.some(({ failure }) => failure?.code === 'quarantined')
  return isOpen ? 'open' : 'closed'
}

/** Later than all that has begun. */
function nowOf({ store }: Workspace): number {
  const { clock } = store.parts
  return Math.floor(clock.wallAt(clock.now())) + 1
}

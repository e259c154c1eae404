import { setTimeout as wait } from 'node:timers/promises'
import { topics } from '@hookline/agent/durable'
import type { CallContext } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { InputOf, OutputOf } from '../../protocol/operations.ts'
import { runOverlapMs } from '../../protocol/run-outcome.ts'
import type { Workspace } from '../../reload/workspace.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { translate } from '../../service/translate-errors.ts'
import { nameOf } from '../record-audit.ts'
import { maySee, visibleTo } from '../visibility.ts'
import { isListed, listedRun } from './listed-run.ts'
import { runFilterOf } from './run-filter.ts'
import { RunWindow } from './run-window.ts'

type Item = OutputOf<'watchRuns'>

/** How long runs are gathered, at least. */
const gatherMs = 50
/** What is looked at must not keep the daemon from its work. */
const restShare = 4
const maxRestMs = 1_000
const maxStreams = 50
/** Of one principal: nobody keeps all others from it. */
const maxOwn = 10
/** Behind a cursor that is older there is too much to look at again. */
const markMs = 60_000

export function watchRunOperations(
  workspace: Workspace,
): Pick<OperationService, 'watchRuns'> {
  const streams: string[] = []
  return {
    watchRuns(input, context) {
      const name = nameOf(context.caller)
      checkRoom(streams, name)
      const { after, ...where } = input
      const asked = { ...where, from: readCursor(after) }
      return follow(workspace, asked, context, () => {
        streams.push(name)
        return () => void streams.splice(streams.indexOf(name), 1)
      })
    },
  }
}

function checkRoom(streams: readonly string[], name: string): void {
  const own = streams.filter((one) => one === name).length
  if (own < maxOwn && streams.length < maxStreams) return
  const whose = own < maxOwn ? streams.length : `${own} of your`
  const message = `${whose} streams of runs are open, which is as many as there may be; end some first.`
  throw new ProtocolError('too-many', message)
}

type Asked = Omit<InputOf<'watchRuns'>, 'after'> & {
  /** Where it goes on; undefined: from now on. */
  readonly from: number | undefined
}

/** Ends when whoever reads has gone, or the daemon stops. */
async function* follow(
  workspace: Workspace,
  { from: given, state, ...where }: Asked,
  { caller, signal }: CallContext,
  enter: () => () => void,
): AsyncGenerator<Item, void, undefined> {
  const leave = enter()
  const feed = new News(workspace, signal)
  try {
    const { store } = workspace
    const from = given ?? Math.max(0, wallNow(workspace) - runOverlapMs)
    // The state is looked at here: a run has to be known before it ends.
    const { sessionId, hook, point } = runFilterOf(where)
    const window = new RunWindow(store, {
      ...(sessionId !== undefined && { sessionId }),
      ...(hook !== undefined && { hook }),
      ...(point !== undefined && { point }),
      visible: visibleTo(caller),
      from,
    })
    await window.noteOpen()
    // What is there already is not news.
    if (given === undefined) for await (const _ of window.news());
    let mark = window.cursor
    yield markAt(mark, workspace)
    for (;;) {
      const beganAt = performance.now()
      for await (const news of window.news()) {
        const cursor = String(window.cursor)
        if (news.type === 'lagged') {
          yield { type: 'lagged', cursor, missed: news.missed }
          continue
        }
        for (const run of news.runs) {
          const isWanted = run.state === (state ?? run.state)
          // That one has begun is told to whoever asks for it.
          const isOver = run.state !== 'started' || state === 'started'
          if (!isWanted || !isOver || !isListed(run, where)) continue
          if (!maySee(caller, run.visibility)) continue
          yield { type: 'run', cursor, run: listedRun(run, caller) }
        }
      }
      if (window.cursor - mark > markMs) {
        mark = window.cursor
        yield markAt(mark, workspace)
      }
      const restMs = (performance.now() - beganAt) * restShare
      // It may have been whoever reads who took so long.
      const pauseMs = Math.min(maxRestMs, Math.max(gatherMs, restMs))
      await wait(pauseMs, undefined, { signal })
      await feed.next()
    }
  } catch (error) {
    if (!signal.aborted) throw translate(error)
  } finally {
    feed.close()
    leave()
  }
}

/** So that whoever is cut off knows where to go on. */
function markAt(from: number, workspace: Workspace): Item {
  const at = wallNow(workspace)
  return { type: 'notice', cursor: String(from), at, name: 'runs-followed' }
}

function wallNow({ store }: Workspace): number {
  const { clock } = store.parts
  return Math.floor(clock.wallAt(clock.now()))
}

function readCursor(after: string | undefined): number | undefined {
  if (after === undefined) return undefined
  if (/^\d{1,15}$/.test(after)) return Number(after)
  const message = `"${after}" is no place in the stream of runs; give the cursor of an item.`
  throw new ProtocolError('bad-request', message)
}

/** That there may be other runs: of this daemon, or of others with its store. */
class News {
  readonly #stops: readonly (() => void)[]
  readonly #signal: AbortSignal
  #isThere = false
  #tell = () => {}

  constructor({ runtime, store }: Workspace, signal: AbortSignal) {
    const note = () => {
      this.#isThere = true
      this.#tell()
    }
    const wake = () => this.#tell()
    signal.addEventListener('abort', wake)
    this.#signal = signal
    this.#stops = [
      runtime.engine.observe(({ type }) => {
        if (type === 'hook-end' || type === 'hook-start') note()
      }),
      // Where others run hooks they tell of turns; and it calls now and then.
      store.signals.on(topics.events, note),
      () => signal.removeEventListener('abort', wake),
    ]
  }

  async next(): Promise<void> {
    if (!this.#isThere) {
      await new Promise<void>((resolve) => {
        this.#tell = resolve
      })
    }
    this.#signal.throwIfAborted()
    this.#isThere = false
  }

  close(): void {
    for (const stop of this.#stops) stop()
  }
}

import { errorText } from '../../data/error-text.ts'
import { HandlerFailure } from '../handler-failure.ts'
import type { FromHelper, ToHelper } from './helper-messages.ts'
import { type PausableProcess, startLiving } from './living-process.ts'
import { PipePool } from './pipe-pool.ts'
import { runProgram } from './program-run.ts'

type Message<T extends ToHelper['type']> = Extract<ToHelper, { type: T }>

/** Sends; false: there is much on its way, `then` says when it is not. */
type Send = (message: FromHelper, then?: () => void) => boolean

/**
 * Runs programs for a larger process, and ends them all when that is gone. It
 * is a process, not a thread: it is the memory of its own that makes it quick.
 */
function serve(send: Send): void {
  const pool = new PipePool()
  const runs = new Map<number, Run>()
  const living = new Map<number, PausableProcess>()

  process.on('message', (message: ToHelper) => take(message))
  process.on('disconnect', () => void stopAll())
  // Whoever has started us says when it ends, not the terminal.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {})
  }

  function take(message: ToHelper): void {
    const { id } = message
    switch (message.type) {
      case 'run':
        run(message)
        return
      case 'cancel':
        runs.get(id)?.stop.abort()
        return
      case 'start':
        void start(message)
        return
      case 'write': {
        const bytes = living.get(id)?.unreadBytes ?? 0
        living.get(id)?.write(message.text)
        send({ type: 'unread', id, bytes })
        return
      }
      case 'end-input':
        living.get(id)?.endInput()
        return
      case 'terminate':
        living.get(id)?.terminate()
        return
      case 'kill':
        living.get(id)?.kill()
    }
  }

  function run({ id, tag, spec }: Message<'run'>): void {
    const stop = new AbortController()
    const done = runProgram({ ...spec, signal: stop.signal }, { tag, pool })
      .then(
        (end) => send({ type: 'end', id, end }),
        (error: unknown) => send({ type: 'failure', id, ...describe(error) }),
      )
      .then(() => runs.delete(id))
    runs.set(id, { stop, done })
  }

  async function start({ id, tag, spec }: Message<'start'>): Promise<void> {
    const listen = (stream: 'stdout' | 'stderr') => (chunk: Uint8Array) => {
      const resume = () => living.get(id)?.resume()
      const isFree = send({ type: 'output', id, stream, chunk }, resume)
      if (!isFree) living.get(id)?.pause()
    }
    try {
      const listeners = { stdout: listen('stdout'), stderr: listen('stderr') }
      const started = await startLiving(spec, { tag, listeners })
      living.set(id, started)
      send({ type: 'started', id })
      const how = await started.ended
      living.delete(id)
      send({ type: 'ended', id, how })
    } catch (error) {
      send({ type: 'failure', id, ...describe(error) })
    }
  }

  async function stopAll(): Promise<void> {
    const ends = [...living.values()].map(({ ended }) => ended)
    for (const one of living.values()) one.kill()
    for (const { stop } of runs.values()) stop.abort()
    const done = [...runs.values()].map((one) => one.done)
    await Promise.allSettled([...done, ...ends])
    await pool.close()
    process.exit()
  }
}

interface Run {
  readonly stop: AbortController
  readonly done: Promise<unknown>
}

function describe(error: unknown) {
  const code = error instanceof HandlerFailure ? error.code : 'crashed'
  return { code, message: errorText(error) }
}

if (process.send !== undefined) {
  serve((message, then) => {
    if (!process.connected) return true
    return process.send?.(message, undefined, {}, () => then?.()) ?? true
  })
}

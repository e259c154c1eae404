import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { HandlerFailure } from '../handler-failure.ts'
import type { OutputListeners } from './child-streams.ts'
import type { CommandEnd, CommandSpec } from './command-runner.ts'
import { endTagged } from './end-orphans.ts'
import { HelpedProcess } from './helped-process.ts'
import type { FromHelper, ToHelper } from './helper-messages.ts'
import type { LivingProcess, LivingSpec } from './living-process.ts'
import { startFailure } from './start-failure.ts'
import { longestTimerMs } from './timer-limit.ts'

/**
 * A small process that runs programs in our place. It is started when it is
 * needed, and again when it has died.
 */
export class SpawnHelper {
  readonly #waiting = new Map<number, Waiting>()
  #process: ChildProcess | undefined
  #lastId = 0

  async run(spec: CommandSpec, tag: string): Promise<CommandEnd> {
    const { signal, ...rest } = spec
    if (signal?.aborted) throw cancelled()
    const id = this.#nextId()
    const helper = this.#start()
    const stop = () => send(helper, { type: 'cancel', id })
    const watch = setTimeout(() => helper.kill('SIGKILL'), patience(spec))
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return await new Promise<CommandEnd>((resolve, reject) => {
        const take = (message: FromHelper) => {
          if (message.type === 'end') resolve(message.end)
          if (message.type === 'failure') reject(failureIn(message))
        }
        const lose = () => reject(crashed())
        this.#waiting.set(id, { helper, tag, take, lose, isHeld: true })
        send(helper, { type: 'run', id, tag, spec: rest })
      })
    } finally {
      clearTimeout(watch)
      signal?.removeEventListener('abort', stop)
      this.#waiting.delete(id)
      this.#hold(helper)
    }
  }

  /** Starts a program that goes on running. */
  async start(
    spec: LivingSpec,
    { tag, listeners }: { tag: string; listeners: OutputListeners },
  ): Promise<LivingProcess> {
    const id = this.#nextId()
    const helper = this.#start()
    return await new Promise((resolve, reject) => {
      const living = new HelpedProcess(listeners, {
        send: (message) => send(helper, { ...message, id }),
        hold: (isHeld) => {
          waiting.isHeld = isHeld
          this.#hold(helper)
        },
        ended: () => {
          this.#waiting.delete(id)
          this.#hold(helper)
        },
      })
      const waiting: Waiting = {
        helper,
        tag,
        isHeld: true,
        take: (message) => {
          if (message.type === 'started') {
            living.hold(false)
            resolve(living)
          } else if (message.type === 'failure') {
            this.#waiting.delete(id)
            this.#hold(helper)
            reject(failureIn(message))
          } else living.take(message)
        },
        lose: () => {
          living.take({ type: 'ended', id, how: 'was ended with its helper' })
          reject(crashed())
        },
      }
      this.#waiting.set(id, waiting)
      send(helper, { type: 'start', id, tag, spec })
    })
  }

  async close(): Promise<void> {
    const helper = this.#process
    this.#process = undefined
    const hasEnded = helper?.exitCode !== null || helper.signalCode !== null
    if (helper === undefined || hasEnded) return
    helper.ref()
    const end = once(helper, 'exit')
    if (helper.connected) helper.disconnect()
    const timer = setTimeout(() => helper.kill('SIGKILL'), closeMs)
    await end
    clearTimeout(timer)
  }

  #nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  #start(): ChildProcess {
    if (this.#process === undefined) {
      const helper = forkHelper()
      this.#process = helper
      helper.on('message', (message: FromHelper) => {
        this.#waiting.get(message.id)?.take(message)
      })
      helper.on('error', () => void this.#lose(helper))
      helper.on('exit', () => void this.#lose(helper))
    }
    this.#process.ref()
    this.#process.channel?.ref()
    return this.#process
  }

  /** It keeps us alive as long as anything it does for us has to. */
  #hold(helper: ChildProcess): void {
    const isHeld = [...this.#waiting.values()].some((one) => one.isHeld)
    for (const one of [helper, helper.channel]) {
      if (isHeld) one?.ref()
      else one?.unref()
    }
  }

  /** What it had started runs on without it, and has to end. */
  async #lose(helper: ChildProcess): Promise<void> {
    if (this.#process === helper) this.#process = undefined
    const lost = [...this.#waiting].filter(([, one]) => one.helper === helper)
    for (const [id] of lost) this.#waiting.delete(id)
    const tags = new Set(lost.map(([, { tag }]) => tag))
    if (tags.size > 0) await endTagged((tag) => tags.has(tag))
    for (const [, { lose }] of lost) lose()
  }
}

interface Waiting {
  readonly helper: ChildProcess
  readonly tag: string
  readonly take: (message: FromHelper) => void
  readonly lose: () => void
  isHeld: boolean
}

const closeMs = 5_000

/** A helper that has not answered by then hangs. */
function patience({ timeoutMs, graceMs = 1_000 }: CommandSpec): number {
  return Math.min(timeoutMs + graceMs + closeMs, longestTimerMs)
}

function send(helper: ChildProcess, message: ToHelper): void {
  if (helper.connected) helper.send(message, () => {})
}

function failureIn({
  code,
  message,
}: Extract<FromHelper, { type: 'failure' }>): HandlerFailure {
  return new HandlerFailure(code, message)
}

function crashed(): HandlerFailure {
  return new HandlerFailure(
    'crashed',
    'The process that starts commands has died, and what it had started was ended.',
  )
}

function cancelled(): HandlerFailure {
  return new HandlerFailure('cancelled', 'The command is no longer wanted.')
}

function forkHelper(): ChildProcess {
  try {
    return fork(helperUrl(), {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Ours are not for it: a debugger's port, a loader, a memory limit.
      execArgv: [],
      env: helperEnv(),
      // A key that is pressed in the terminal is meant for us alone.
      detached: true,
    })
  } catch (error) {
    throw startFailure(error, 'node')
  }
}

function helperEnv(): Record<string, string> {
  const { PATH, TMPDIR } = process.env
  return { ...(PATH && { PATH }), ...(TMPDIR && { TMPDIR }) }
}

/** Beside this file in the sources, an entry of its own in the built package. */
function helperUrl(): URL {
  const here = import.meta.url
  if (here.endsWith('.ts')) return new URL('./spawn-helper-thread.ts', here)
  const built = here.slice(0, here.lastIndexOf('/dist/'))
  return new URL(`${built}/dist/handlers/command/spawn-helper-thread.js`)
}

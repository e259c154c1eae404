import {
  MessageChannel,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads'
import type {
  ThreadData,
  ThreadPolicy,
  ThreadReply,
} from './thread-messages.ts'

/** A thread that evaluates one policy, one input after another. */
export interface PolicyThread {
  readonly isEnded: boolean
  /** Lets nothing else run until the policy is open, or throws why not. */
  openNow(maxMs: number): void
  /** Settles when the policy is open. */
  open(): Promise<void>
  /** What an input comes to, as JSON. */
  evaluate(input: string): Promise<string>
  end(): void
}

export function startThread(policy: ThreadPolicy): PolicyThread {
  const { port1: port, port2 } = new MessageChannel()
  const hasReplied = new Int32Array(new SharedArrayBuffer(4))
  const data: ThreadData = { ...policy, port: port2, hasReplied }
  const worker = new Worker(threadUrl(), {
    workerData: data,
    transferList: [port2],
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    name: 'hookline-opa',
    resourceLimits: {
      maxOldGenerationSizeMb: heapMb,
      maxYoungGenerationSizeMb: heapMb / 8,
    },
  })
  let isEnded = false
  let settle: ((reply: ThreadReply) => void) | undefined
  const reply = (given: ThreadReply) => {
    const waiting = settle
    settle = undefined
    // A process may end that only has a thread without work.
    worker.unref()
    waiting?.(given)
  }
  const lose = (message: string) => {
    isEnded = true
    reply({ type: 'failed', message })
  }
  worker.on('error', (error) => lose(lossOf(error)))
  worker.on('exit', () => lose('Its thread has ended.'))
  port.on('message', reply)
  port.unref()
  worker.unref()

  const next = async (): Promise<ThreadReply> => {
    if (isEnded) return { type: 'failed', message: 'Its thread has ended.' }
    worker.ref()
    return await new Promise((resolve) => {
      settle = resolve
    })
  }

  return {
    get isEnded() {
      return isEnded
    },
    openNow(maxMs) {
      Atomics.wait(hasReplied, 0, 0, maxMs)
      // Only the thread has the other end.
      const first: ThreadReply | undefined = receiveMessageOnPort(port)?.message
      checkOpen(first ?? { type: 'failed', message: neverOpen })
    },
    async open() {
      checkOpen(await next())
    },
    async evaluate(input) {
      port.postMessage(input)
      const given = await next()
      if (given.type === 'result') return given.text
      const said = given.type === 'failed' ? given.message : given.type
      throw new Error(`The policy could not be evaluated: ${said}`)
    },
    end() {
      isEnded = true
      port.close()
      void worker.terminate()
    },
  }
}

/** For what is not memory of the policy. */
const heapMb = 128

const neverOpen = 'It takes too long to open.'

function checkOpen(reply: ThreadReply): void {
  if (reply.type === 'opened') return
  throw new Error(reply.type === 'failed' ? reply.message : neverOpen)
}

function lossOf(error: unknown): string {
  const isFull = Object(error).code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isFull ? 'It needs too much memory.' : 'Its thread has broken.'
}

/** Beside this file in the sources, an entry of its own in the built package. */
function threadUrl(): URL {
  const here = import.meta.url
  if (here.endsWith('.ts')) return new URL('./opa-thread.ts', here)
  const built = here.slice(0, here.lastIndexOf('/dist/'))
  return new URL(`${built}/dist/hooks/opa/opa-thread.js`)
}

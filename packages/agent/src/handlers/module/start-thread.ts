import { Worker } from 'node:worker_threads'
import { sharedPlaces, type ThreadData } from './thread-messages.ts'

export interface ThreadOptions {
  /** The address of the file. */
  readonly url: string
  /** Where paths in messages start. */
  readonly folder: string
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>
  readonly maxMemoryMb: number
  /** Of one answer. */
  readonly maxBytes: number
  /** The program that the thread runs, in place of ours; for tests. */
  readonly program?: URL
}

/** A thread that loads a file, and where it notes what it does. */
export interface StartedThread {
  readonly worker: Worker
  readonly places: Int32Array
}

export function startThread({
  url,
  folder,
  env,
  maxMemoryMb,
  maxBytes,
  program = threadUrl(),
}: ThreadOptions): StartedThread {
  const size = sharedPlaces.size * Int32Array.BYTES_PER_ELEMENT
  const shared = new SharedArrayBuffer(size)
  const data: ThreadData = { url, folder, maxBytes, shared }
  const worker = new Worker(program, {
    workerData: data,
    env: { ...env },
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    name: 'hookline-module',
    resourceLimits: {
      maxOldGenerationSizeMb: maxMemoryMb,
      maxYoungGenerationSizeMb: Math.max(4, Math.ceil(maxMemoryMb / 8)),
    },
  })
  // Drained and dropped; what a module prints comes call by call.
  worker.stdout.resume()
  worker.stderr.resume()
  return { worker, places: new Int32Array(shared) }
}

/** Beside this file in the sources, an entry of its own in the built package. */
function threadUrl(): URL {
  const here = import.meta.url
  if (here.endsWith('.ts')) return new URL('./module-thread.ts', here)
  const built = here.slice(0, here.lastIndexOf('/dist/'))
  return new URL(`${built}/dist/handlers/module/module-thread.js`)
}

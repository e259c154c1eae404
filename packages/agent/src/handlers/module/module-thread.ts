import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { fileURLToPath } from 'node:url'
import threads, { type MessagePort } from 'node:worker_threads'
import { cutText } from '../../data/cut-text.ts'
import { errorText } from '../../data/error-text.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { type CodeRun, runCode, thrownFailure } from './code-run.ts'
import { loadProblem } from './error-place.ts'
import { type Exported, importModule } from './import-module.ts'
import { offerOwnPackages } from './own-packages.ts'
import {
  readMessage,
  type SentCall,
  sharedPlaces,
  type ThreadData,
  writeMessage,
} from './thread-messages.ts'
import { createOutput } from './thread-output.ts'

interface OpenCall {
  readonly getSignal: () => AbortSignal
  readonly abort: () => void
}

/** Loads the file and calls it as messages ask for. */
function serve(port: MessagePort, data: ThreadData): void {
  const { url, folder, maxBytes } = data
  const places = new Int32Array(data.shared)
  const module = { path: fileURLToPath(url), folder }
  // Taken before code of others runs, which may put something else there.
  const post = port.postMessage.bind(port)
  const current = new AsyncLocalStorage<number>()
  const open = new Map<number, OpenCall>()
  /** Given up while the file was still loading. */
  const skipped = new Set<number>()
  const output = createOutput((seq, stream, text) =>
    post(writeMessage('d', seq, `${stream}:${text}`)),
  )

  const fail = (seq: number, thrown: unknown) => {
    if (!open.delete(seq)) return
    const { code, message } = thrownFailure(thrown, module)
    post(writeMessage('f', seq, `${code}:${cutText(message, 700)}`))
  }

  const call = async (
    seq: number,
    { exported, leftMs, envelope }: SentCall,
    loaded: Exported,
  ) => {
    const run = loaded[exported]
    if (typeof run !== 'function') {
      const message = `The file exports no function "${exported}"; add one, or name another with "export".`
      throw new HandlerFailure('not-started', message)
    }
    const endMs = performance.now() + leftMs
    const text = await runCode(run as CodeRun, {
      envelope,
      getSignal: () => open.get(seq)?.getSignal() ?? AbortSignal.abort(),
      remainingMs: () => Math.max(0, endMs - performance.now()),
      diagnose: (code, message) => output.print(seq, code, message),
      maxBytes,
      module,
    })
    if (open.delete(seq)) post(writeMessage('a', seq, text))
  }

  const begin = (seq: number, sent: SentCall, loaded: Exported) => {
    if (skipped.delete(seq)) return
    open.set(seq, openCall())
    Atomics.store(places, sharedPlaces.begun, seq)
    Atomics.store(places, sharedPlaces.inside, seq)
    current
      .run(seq, () => call(seq, sent, loaded))
      .catch((thrown: unknown) => fail(seq, thrown))
      .finally(() => output.forget(seq))
    Atomics.store(places, sharedPlaces.inside, 0)
  }

  const abandon = (seq: number) => {
    const called = open.get(seq)
    if (called !== undefined) called.abort()
    else if (seq > Atomics.load(places, sharedPlaces.begun)) skipped.add(seq)
  }

  const print = (stream: string) => (chunk: unknown) => {
    output.print(current.getStore() ?? 0, stream, chunk)
    return true
  }
  process.stdout.write = print('stdout')
  process.stderr.write = print('stderr')
  const stray = (thrown: unknown) => {
    const seq = current.getStore() ?? 0
    output.print(seq, 'stray-error', cutText(errorText(thrown), 400))
    fail(seq, thrown)
  }
  process.on('uncaughtException', stray)
  process.on('unhandledRejection', stray)

  offerOwnPackages()
  const loading = importModule(url, module)
  loading.then(
    () => post(writeMessage('r', 0)),
    (thrown: unknown) =>
      post(writeMessage('n', 0, cutText(loadProblem(thrown, module), 700))),
  )
  port.on('message', (given: unknown) => {
    const message = readMessage(given)
    if (message === undefined) return
    const { letter, seq, body } = message
    if (letter === 'p') post(writeMessage('p', seq))
    if (letter === 'x') abandon(seq)
    if (letter !== 'c') return
    // Our own side wrote it.
    const sent = JSON.parse(body) as SentCall
    loading.then(
      (loaded) => begin(seq, sent, loaded),
      () => {},
    )
  })
}

function openCall(): OpenCall {
  let controller: AbortController | undefined
  const get = () => {
    controller ??= new AbortController()
    return controller
  }
  return { getSignal: () => get().signal, abort: () => get().abort() }
}

/** The way to the host is no business of the module's, nor is the host. */
function hideHost(): void {
  Object.assign(threads, { parentPort: null, workerData: null })
  process.kill = () => {
    const message = 'A module may not send signals; use a command.'
    throw new HandlerFailure('crashed', message)
  }
  syncBuiltinESMExports()
}

const { parentPort, workerData } = threads
if (parentPort !== null) {
  hideHost()
  serve(parentPort, workerData)
}

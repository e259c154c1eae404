import { openHub } from './open-hub.ts'
import type { Attach } from './port-messages.ts'
import type { StreamHub } from './stream-hub.ts'

/** Of this tab alone: phones have no shared workers, and show one tab at a time. */
let own: StreamHub | undefined
let shared: SharedWorker | undefined
let isBroken = false

/**
 * A port on which whoever reads for all tabs of this browser answers.
 * `onBroken` is called where it never will.
 */
export function attachPort(
  attach: Attach,
  { signal, onBroken }: { signal: AbortSignal; onBroken: () => void },
): MessagePort {
  const { port1, port2 } = new MessageChannel()
  if (isBroken || typeof SharedWorker !== 'function') {
    own ??= openHub()
    own.attach(port2, attach)
    return port1
  }
  shared ??= startWorker()
  shared.addEventListener('error', onBroken, { signal })
  shared.port.postMessage(attach, [port2])
  return port1
}

/** It answers no more; whoever attaches next begins with a new one. */
export function forgetWorker(): void {
  shared?.port.close()
  shared = undefined
}

function startWorker(): SharedWorker {
  const worker = new SharedWorker(
    new URL('./stream-worker.ts', import.meta.url),
    { type: 'module', name: 'hookline' },
  )
  // The daemon is another one by now, and has its script no more.
  worker.addEventListener('error', () => {
    isBroken = true
  })
  return worker
}

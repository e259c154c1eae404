import { createRequire } from 'node:module'
import { workerData } from 'node:worker_threads'
import { boundTexts } from './bound-texts.ts'
import type { ThreadData, ThreadReply } from './thread-messages.ts'

/** As far as it is used here; its own types need those of browsers. */
interface LoadedPolicy {
  readonly entrypoints: Readonly<Record<string, number>>
  setData(json: ArrayBuffer): void
  evaluate(json: ArrayBuffer, entrypoint: number): unknown
}

interface OpaWasm {
  loadPolicySync(
    module: unknown,
    memory: { readonly initial: number; readonly maximum: number },
  ): LoadedPolicy
}

interface Opened {
  readonly policy: LoadedPolicy
  readonly entrypoint: number
}

// Given by whoever starts this thread.
const given = workerData as ThreadData
const { port, hasReplied, module, data, maxMemoryMb, maxReply } = given

boundTexts(maxReply)

const pagesPerMb = 16

function open(): Opened {
  const pages = maxMemoryMb * pagesPerMb
  // All of it at once: a page that nothing is written to costs nothing.
  const memory = { initial: pages, maximum: pages }
  // The compiler cannot see what is loaded here.
  const opaWasm = createRequire(import.meta.url)(given.packageFile) as OpaWasm
  const policy = opaWasm.loadPolicySync(module, memory)
  const entrypoint = chosenIn(policy)
  if (data !== undefined) policy.setData(ownBuffer(data))
  return { policy, entrypoint }
}

function chosenIn({ entrypoints }: LoadedPolicy): number {
  const { entrypoint: wanted } = given
  const names = Object.keys(entrypoints)
  const [only = ''] = names
  const name = wanted ?? (names.length === 1 ? only : '')
  const chosen = Object.hasOwn(entrypoints, name)
    ? entrypoints[name]
    : undefined
  if (typeof chosen === 'number') return chosen
  const listed = names.slice(0, 20).join(', ')
  throw new Error(
    wanted === undefined
      ? `It has several entrypoints; name one of them: ${listed}.`
      : `It has no entrypoint "${wanted}"; there are: ${listed}.`,
  )
}

function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

/** Whoever threw may have thrown a text, or anything. */
function messageOf(error: unknown): string {
  const said = typeof error === 'string' ? error : Object(error).message
  return String(said).slice(0, 500)
}

function tell(reply: ThreadReply): void {
  port.postMessage(reply)
}

function evaluate({ policy, entrypoint }: Opened, input: string): ThreadReply {
  const json = ownBuffer(new TextEncoder().encode(input))
  const text = JSON.stringify(policy.evaluate(json, entrypoint))
  return { type: 'result', text }
}

let opened: Opened | undefined

try {
  opened = open()
  tell({ type: 'opened' })
} catch (error) {
  tell({ type: 'failed', message: messageOf(error) })
}
Atomics.store(hasReplied, 0, 1)
Atomics.notify(hasReplied, 0)

port.on('message', (input: string) => {
  try {
    // Where it broke off, nothing is known of what it left behind.
    const now = opened ?? open()
    opened = undefined
    const reply = evaluate(now, input)
    opened = now
    tell(reply)
  } catch (error) {
    tell({ type: 'failed', message: messageOf(error) })
  }
})

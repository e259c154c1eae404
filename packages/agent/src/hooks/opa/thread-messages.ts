import type { MessagePort } from 'node:worker_threads'
import type { WasmModule } from './web-assembly.ts'

/** What a thread evaluates, and within which bounds. */
export interface ThreadPolicy {
  /** Where the package is that knows how modules of OPA are called. */
  readonly packageFile: string
  readonly module: WasmModule
  /** JSON. */
  readonly data?: Uint8Array
  /** Absent: the only one. */
  readonly entrypoint?: string
  readonly maxMemoryMb: number
  /** Of one answer, in bytes. */
  readonly maxReply: number
}

export interface ThreadData extends ThreadPolicy {
  readonly port: MessagePort
  /** Its first place is 1 when there is a first reply. */
  readonly hasReplied: Int32Array
}

export type ThreadReply =
  | { readonly type: 'opened' }
  /** What an input came to, as JSON. */
  | { readonly type: 'result'; readonly text: string }
  | { readonly type: 'failed'; readonly message: string }

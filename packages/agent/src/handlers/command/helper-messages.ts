import type { HandlerFailureCode } from '../handler-failure.ts'
import type { CommandEnd, CommandSpec } from './command-runner.ts'
import type { LivingSpec } from './living-process.ts'

/** What the helper is told; `id` names a run or a process that stays. */
export type ToHelper =
  | {
      readonly type: 'run'
      readonly id: number
      readonly tag: string
      readonly spec: Omit<CommandSpec, 'signal'>
    }
  | { readonly type: 'cancel'; readonly id: number }
  | {
      readonly type: 'start'
      readonly id: number
      readonly tag: string
      readonly spec: LivingSpec
    }
  | { readonly type: 'write'; readonly id: number; readonly text: string }
  | {
      readonly type: 'end-input' | 'terminate' | 'kill'
      readonly id: number
    }

export type FromHelper =
  | { readonly type: 'end'; readonly id: number; readonly end: CommandEnd }
  | {
      readonly type: 'failure'
      readonly id: number
      readonly code: HandlerFailureCode
      readonly message: string
    }
  | { readonly type: 'started'; readonly id: number }
  | {
      readonly type: 'output'
      readonly id: number
      readonly stream: 'stdout' | 'stderr'
      readonly chunk: Uint8Array
    }
  /** So many bytes of what was written wait to be read. */
  | { readonly type: 'unread'; readonly id: number; readonly bytes: number }
  | { readonly type: 'ended'; readonly id: number; readonly how: string }

import type { Word } from './word.ts'

/** What a command has others run. */
export type Inner =
  | {
      readonly type: 'command'
      readonly words: readonly Word[]
      /** Where it runs, if that is elsewhere. */
      readonly folder?: string
    }
  | {
      readonly type: 'script'
      readonly text: string
      readonly folder?: string
    }
  /** What is in a file, read by some interpreter. */
  | { readonly type: 'file'; readonly path: string; readonly by: string }
  | { readonly type: 'code'; readonly what: string }

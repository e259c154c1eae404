import type { Word } from './word.ts'

/** What a command has others run. */
export type Inner =
  | { readonly type: 'command'; readonly words: readonly Word[] }
  | { readonly type: 'script'; readonly text: string }
  | { readonly type: 'code'; readonly what: string }

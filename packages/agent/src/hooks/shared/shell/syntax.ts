/** A script as it is written, before anything of it is known. */
export interface Script {
  readonly chains: readonly Chain[]
}

/** Commands joined by `&&` and `||`. */
export interface Chain {
  readonly links: readonly Link[]
}

export interface Link {
  /** Whether it runs at all is up to the one before it. */
  readonly after: 'start' | '&&' | '||'
  readonly stages: readonly Stage[]
}

/** One command of a pipeline. */
export type Stage =
  | SimpleStage
  | FunctionStage
  | { readonly type: 'group'; readonly body: Script; readonly isApart: boolean }
  | {
      readonly type: 'branches'
      readonly words: readonly Parts[]
      readonly tests: readonly Script[]
      readonly bodies: readonly Script[]
    }
  | {
      readonly type: 'loop'
      readonly name?: string
      /** What the name stands for in turn; none: nobody knows. */
      readonly words?: readonly Parts[]
      readonly test?: Script
      readonly body: Script
    }
  /** A condition or a sum: only what is expanded in it counts. */
  | { readonly type: 'words'; readonly words: readonly Parts[] }
  | {
      readonly type: 'redirected'
      readonly body: Stage
      readonly redirects: readonly RedirectSyntax[]
    }

export interface SimpleStage {
  readonly type: 'simple'
  readonly assignments: readonly Assignment[]
  readonly words: readonly Parts[]
  readonly redirects: readonly RedirectSyntax[]
}

export interface FunctionStage {
  readonly type: 'function'
  readonly name: string
  readonly body: Stage
}

export interface Assignment {
  readonly name: string
  /** None: it is a list, or is added to. */
  readonly value?: Parts
  /** All that is expanded on the way. */
  readonly words: readonly Parts[]
}

export interface RedirectSyntax {
  readonly kind: 'read' | 'write' | 'text' | 'descriptor'
  readonly target: Parts
  /** Of a here-document: read once its line has ended. */
  body?: Parts
}

export type Parts = readonly Part[]

/** A piece of a word. */
export type Part =
  | { readonly type: 'text'; readonly text: string; readonly isQuoted: boolean }
  | { readonly type: 'brace'; readonly text: '{' | ',' | '}' }
  | {
      readonly type: 'parameter'
      readonly name: string
      /** What follows the name in braces; empty: the plain value. */
      readonly operator: string
      readonly operand: Parts
      readonly isQuoted: boolean
    }
  | {
      readonly type: 'script'
      readonly body: Script
      readonly gives: 'output' | 'file'
      readonly isQuoted: boolean
    }
  /** Sums and patterns: anything, but what is in them is expanded. */
  | {
      readonly type: 'unknown'
      readonly inside: Parts
      readonly isQuoted: boolean
      readonly isSum?: boolean
    }

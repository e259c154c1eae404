import type { EntryDefinition } from '../handlers/definition.ts'
import type { ConfigCandidate } from './config-source.ts'
import type { DialectEntry, Placed } from './file-sections.ts'
import type { ConfigProblem, Path } from './problem.ts'
import type { SectionValue } from './section.ts'

/** What became of one file. */
export type FileResult = LoadedFile | RefusedFile

/** A file that is right. */
export interface LoadedFile {
  readonly type: 'loaded'
  readonly candidate: ConfigCandidate
  readonly hash: string
  readonly hooks: readonly FileHook[]
  readonly disable: readonly Placed<string>[]
  readonly dialects: readonly Placed<DialectEntry>[]
  readonly sections: readonly SectionValue[]
  /** Warnings only. */
  readonly problems: readonly ConfigProblem[]
  /** Whether it may change what others say. */
  readonly isTrusted: boolean
}

/** A file of which nothing is used. */
export interface RefusedFile {
  readonly type: 'refused' | 'missing' | 'needs-trust'
  readonly candidate: ConfigCandidate
  readonly hash?: string
  readonly problems: readonly ConfigProblem[]
  readonly isTrusted?: boolean
}

export interface FileHook {
  readonly name: string
  readonly definition: EntryDefinition
  /** It has paths that start at the folder of the file. */
  readonly usesFolder: boolean
  readonly meaning: string
  readonly line: number
  readonly column: number
  readonly path: Path
}

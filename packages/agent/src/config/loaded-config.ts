import type { EntryDefinition } from '../handlers/definition.ts'
import type { DialectEntry } from './file-sections.ts'
import type { ConfigLayer } from './layer.ts'
import type { ConfigProblem } from './problem.ts'
import type { SectionValue } from './section.ts'

/** Everything that the files of all layers say together. */
export interface LoadedConfig {
  /** In the order of the layers, then as written. Each runs once. */
  readonly hooks: readonly ConfiguredHook[]
  readonly dialects: readonly ConfiguredDialect[]
  /** All that is switched off by name, for hooks from elsewhere, too. */
  readonly disabled: readonly DisabledName[]
  /** What further sections say, file by file. */
  readonly sections: readonly SectionValue[]
  readonly problems: readonly ConfigProblem[]
  readonly sources: readonly ConfigSource[]
  /** What the managed layer has wrong: no session with gates may start. */
  readonly fatal?: ConfigProblem
}

export interface ConfiguredHook {
  readonly name: string
  readonly definition: EntryDefinition
  readonly layer: ConfigLayer
  readonly file: string
  readonly line: number
  /** Where its relative paths start. */
  readonly folder: string
  /** Files of lower layers that made a managed hook stricter. */
  readonly tightenedBy?: readonly string[]
  /** Who switched it off; then its definition says so, too. */
  readonly disabledBy?: DisabledName
}

export interface ConfiguredDialect {
  readonly dialect: DialectEntry['dialect']
  /** An absolute path. */
  readonly file: string
  readonly isStrict: boolean
  readonly layer: ConfigLayer
  /** Which configuration names it. */
  readonly source: string
  readonly line: number
}

export interface DisabledName {
  readonly name: string
  readonly layer: ConfigLayer
  readonly file: string
  readonly line: number
  /** If not, it is about hooks of the project alone. */
  readonly isTrusted: boolean
}

/** A file that was looked at. */
export interface ConfigSource {
  readonly file: string
  readonly layer: ConfigLayer
  /** SHA-256 of what was read; absent where nothing could be. */
  readonly hash?: string
  /**
   * `kept`: what it says now is not used, but what it said before. `refused`:
   * nothing of it is used. `needs-trust`: it is code of a project.
   */
  readonly state: 'loaded' | 'kept' | 'refused' | 'needs-trust'
}

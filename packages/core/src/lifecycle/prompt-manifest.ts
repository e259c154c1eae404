/** Where every piece of a compiled prompt came from. */
export interface PromptManifest {
  readonly fragments: readonly ManifestFragment[]
}

/** One piece of the prompt; its text is not repeated, only its hash. */
export interface ManifestFragment {
  readonly kind: 'base' | 'context' | 'section'
  /** The id of the context entry, or the name of the section. */
  readonly id: string
  /** The hook that wrote it; absent for what the agent itself brings. */
  readonly hook?: string
  readonly hash: string
  /** As it stands in the prompt, after any cut. */
  readonly codePoints: number
  readonly isCut: boolean
}

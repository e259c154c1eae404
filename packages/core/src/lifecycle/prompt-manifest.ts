/** Where every piece of a compiled prompt came from. */
export interface PromptManifest {
  readonly fragments: readonly ManifestFragment[]
  /** How many code points hooks might write in all; absent in old ones. */
  readonly budgets?: { readonly section: number; readonly context: number }
}

/** One piece of the prompt; its text is not repeated, only its hash. */
export interface ManifestFragment {
  readonly kind: 'base' | 'context' | 'section'
  /** The id of the context entry or fragment, or the name of the section. */
  readonly id: string
  /** The hook that wrote it; absent for what the agent itself brings. */
  readonly hook?: string
  /** The plugin that wrote it, where it is no hook's. */
  readonly plugin?: string
  readonly hash: string
  /** As it stands in the prompt, after any cut. */
  readonly codePoints: number
  readonly isCut: boolean
}

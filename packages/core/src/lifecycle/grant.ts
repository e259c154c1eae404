/** Where and how a call may run. Policy makes it; hooks can only narrow it. */
export interface Grant {
  readonly decision: 'allow' | 'deny' | 'ask'
  /** Why policy denies or asks. */
  readonly reason?: string
  /** It asks as a matter of course: no rule is about such calls. */
  readonly askedBy?: 'mode'
  readonly sandbox: Sandbox
  /** The folders it may touch; none means no file at all. */
  readonly roots: readonly string[]
  readonly network: NetworkAccess
  readonly timeoutMs: number
  readonly maxOutputBytes: number
}

/** How the process of a tool is confined; `none` is our own rights. */
export type Sandbox = 'none' | 'workspace' | 'read_only'

/** Nothing, everything, or only these hosts. */
export type NetworkAccess =
  | 'none'
  | 'all'
  | { readonly hosts: readonly string[] }

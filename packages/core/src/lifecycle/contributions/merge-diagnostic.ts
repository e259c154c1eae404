/** What happened while contributions were merged. Holds none of their values. */
export interface MergeDiagnostic<Code extends string = string> {
  readonly code: Code
  /** The hook whose contribution lost something. */
  readonly hook: string
  readonly message: string
}

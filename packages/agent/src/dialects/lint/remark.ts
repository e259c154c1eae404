import type { ForeignHook } from '../dialect.ts'
import type { Finding } from '../finding.ts'

/** A finding without the place, which is that of the hook. */
export type Remark = Omit<Finding, 'file' | 'place'>

export function remark(
  severity: Finding['severity'],
  code: string,
  message: string,
  suggestion?: string,
): Remark {
  const plain = { severity, code, message }
  return suggestion === undefined ? plain : { ...plain, suggestion }
}

export function placed(
  remarks: readonly Remark[],
  hook: ForeignHook,
): Finding[] {
  const { source, place } = hook
  return remarks.map((one) => ({ ...one, file: source.file, place }))
}

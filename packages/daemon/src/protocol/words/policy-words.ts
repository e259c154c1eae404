/** What the failure policy made of a run. */
export function policyWords(policy: string, failedOpen: boolean): string {
  if (failedOpen) return `${policy}: all went on as if it were not there`
  if (policy === 'closed') return 'closed: it counted as a refusal'
  if (policy === 'required') return 'required: whoever asked got an error'
  if (policy === 'fallback') return 'fallback: what it declares was used'
  return policy
}

import type { CallExplanation } from '../schemas/records.ts'

/**
 * What policy granted; a sentence that begins with it. Undefined where nobody
 * can say any more.
 */
export function grantWords({
  grant,
  decidedBy,
}: Pick<CallExplanation, 'grant' | 'decidedBy'>): string | undefined {
  const { decision, sandbox, roots, network, reason }: Record<string, unknown> =
    Object(grant)
  if (decision === undefined) {
    return decidedBy?.kind === 'policy' ? 'denied it' : undefined
  }
  const words =
    decision === 'allow'
      ? 'allowed it'
      : decision === 'ask'
        ? 'wanted somebody asked'
        : `said "${text(decision)}"`
  const parts = [
    ...(sandbox === undefined ? [] : [`sandbox ${text(sandbox)}`]),
    ...(isFilled(roots) ? [`folders ${text(roots)}`] : []),
    ...(isFilled(network) ? [`network ${text(network)}`] : []),
    ...(reason === undefined ? [] : [text(reason)]),
  ]
  return parts.length === 0 ? words : `${words}: ${parts.join('; ')}`
}

function text(value: unknown): string {
  if (Array.isArray(value)) return value.map(text).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined
}

import type { HookDescriptor, Point } from 'hookline'

/** How it is run, in a word. */
export function executionWords({
  execution,
}: Pick<HookDescriptor, 'execution'>): string {
  return typeof execution === 'string'
    ? execution
    : `deadline of ${execution.deadlineMs} ms`
}

function isWaitedFor({ execution }: HookDescriptor): boolean {
  return execution !== 'record' && execution !== 'background'
}

/** What a hook may say at its point, with what it has declared. */
export function answersOf(hook: HookDescriptor, point: Point): string[] {
  if (!isWaitedFor(hook)) return []
  const allowed = [...point.answers].filter((answer) => {
    const isWrite = answer === 'transform' || answer === 'replace'
    if (isWrite && !hook.writes) return false
    const right = point.rights.get(answer)
    return right === undefined || hook.capabilities.includes(right)
  })
  return ['proceed', ...allowed.filter((answer) => answer !== 'proceed')]
}

/** What comes of it when it gives no valid answer. */
export function failureWords(
  { onFailure, mode }: HookDescriptor,
  refusal: string,
): string {
  if (mode === 'evaluate') return 'Nothing changes: it is only evaluated.'
  switch (onFailure) {
    case 'closed':
      return `It counts as a refusal: ${refusal}`
    case 'open':
      return 'All goes on as if it were not there, and that is counted.'
    case 'fallback':
      return 'All goes on with what it declares to fall back on.'
    case 'required':
      return 'Whoever asked gets an error.'
  }
}

const flows = {
  serial: 'one after the other; each sees what the one before left',
  parallel:
    'in batches, at the same time within one; a later batch sees what earlier ones contributed',
  observe: 'after the fact; nobody waits for them',
} as const

const orders = {
  ascending: 'the lowest priority first',
  descending: 'the highest priority first',
} as const

export function flowWords({ flow, order }: Point): string {
  // The point is one of no particular shape here.
  const words = flows[flow as keyof typeof flows]
  return `${words}; ${orders[order]}`
}

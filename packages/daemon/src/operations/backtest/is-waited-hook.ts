import type { Hook } from 'hookline'

export function isWaitedHook({ execution, on }: Hook): boolean {
  if (on.flow === 'observe') return false
  return execution !== 'record' && execution !== 'background'
}

import type { MomentAt } from './kind.ts'
import type { Merged } from './merge-verdicts.ts'
import { words } from './words.ts'

/** What was said beside an answer: the turn ends at the next point that can end it. */
export function stopLater(
  { stop }: Pick<Merged, 'stop'>,
  { world, scope }: Pick<MomentAt, 'world' | 'scope'>,
): void {
  if (stop !== undefined) world.memory.stop(scope, words.stop(stop))
}

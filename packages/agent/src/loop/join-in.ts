import type { Actor } from 'hookline/lifecycle'
import { joinActors } from '../data/join-actors.ts'
import type { Turn } from './turn.ts'

/**
 * Somebody has a say in a turn from now on: it is on their behalf as well, and
 * so is all that waits for it.
 */
export function joinIn(turn: Turn, by: Actor | undefined): void {
  for (let one: Turn | undefined = turn; one; one = one.waiter) {
    const { progress } = one
    const { actor } = progress.scope
    const joined = joinActors(actor, by)
    if (joined === undefined || joined === actor) continue
    progress.scope = Object.freeze({ ...progress.scope, actor: joined })
    progress.joined = joined
  }
}

import { setImmediate as turnOfLoop } from 'node:timers/promises'

const atOnce = 64

/** Does something to each of thousands, and lets others have their turn. */
export async function inTurns<One>(
  all: Iterable<One>,
  work: (one: One) => void,
): Promise<void> {
  let count = 0
  for (const one of [...all]) {
    work(one)
    if (++count % atOnce === 0) await turnOfLoop()
  }
}

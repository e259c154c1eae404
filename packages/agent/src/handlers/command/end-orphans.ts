import { setTimeout as pause } from 'node:timers/promises'
import { endProcess, findTagged } from './process-tree.ts'
import { isOrphanTag } from './run-tag.ts'

/**
 * Ends what runs on of hooks whose program has died, of whichever program on
 * this machine; says which processes these were. For the start of a program.
 */
export async function endOrphans(): Promise<number[]> {
  return await endTagged(isOrphanTag)
}

export async function endTagged(
  isMeant: (tag: string) => boolean,
): Promise<number[]> {
  const ended = new Set<number>()
  for (let round = 0; round < maxRounds; round += 1) {
    const found = findTagged(isMeant)
    if (found.length === 0) break
    for (const orphan of found) {
      ended.add(orphan.pid)
      endProcess(orphan)
    }
    await pause(betweenMs)
  }
  return [...ended]
}

/** One that forks as fast as it can is not seen whole the first time. */
const maxRounds = 50
const betweenMs = 10

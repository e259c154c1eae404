import type { Memories } from '../../../index.ts'
import { fillers } from './fillers.ts'
import { labelledSets } from './judge.ts'

const atOnce = 500

/**
 * Fills a space with made-up memories, and the labelled facts evenly among
 * them, under their ids: it must not help to be the newest.
 */
export async function fillMemories(
  memories: Memories,
  space: string,
  count: number,
): Promise<void> {
  const facts = labelledSets.flatMap((set) => set.facts)
  const every = Math.max(1, Math.floor(count / facts.length))
  const waiting: Promise<unknown>[] = []
  const left = [...facts]
  const addFact = () => {
    const [id, text = ''] = left.shift() ?? []
    if (id !== undefined) waiting.push(memories.remember(space, id, { text }))
  }
  let made = 0
  for (const text of fillers(count)) {
    waiting.push(memories.remember(space, undefined, { text }))
    made++
    if (made % every === 0) addFact()
    if (waiting.length >= atOnce) await Promise.all(waiting.splice(0))
  }
  while (left.length > 0) addFact()
  await Promise.all(waiting)
}

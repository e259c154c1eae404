import { setTimeout as pause } from 'node:timers/promises'
import {
  isAlive,
  listPids,
  listPidsSince,
  type ProcessFacts,
  readProcess,
  readVariable,
} from './process-list.ts'
import { runTagVariable } from './run-tag.ts'

/** The processes of one run. */
export interface ProcessTree {
  /** Its first process, which leads a group of its own. */
  readonly pid: number
  readonly tag: string
  /** So long that ids may have come again since it started. */
  readonly isOld: boolean
}

/** Only for as long as its first process has not been waited for. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // There is nobody left.
  }
}

/**
 * Ends what the run has left behind when its first process is gone: in its
 * group, or with its tag wherever it went. Says which these were.
 */
export async function endSurvivors(tree: ProcessTree): Promise<number[]> {
  if (process.platform !== 'linux') return endGroup(tree.pid)
  if (findSurvivors(tree).length === 0) return []
  // What is just about to end has not been left behind.
  await pause(endingMs)
  const ended = new Set<number>()
  const until = performance.now() + sweepMs
  for (;;) {
    const found = findSurvivors(tree)
    const isLast = performance.now() > until
    for (const survivor of found) {
      if (survivor.isEnding && !isLast) continue
      ended.add(survivor.pid)
      endProcess(survivor)
    }
    if (found.length === 0 || isLast) return [...ended]
    await pause(betweenMs)
  }
}

const endingMs = 15
const betweenMs = 5
const sweepMs = 500

/** Whoever belongs to the run, or descends from one who does, and is alive. */
export function findSurvivors({
  pid,
  tag,
  isOld,
}: ProcessTree): ProcessFacts[] {
  const seen = (isOld ? listPids() : listPidsSince(pid))
    .filter((one) => one !== process.pid)
    .map(readProcess)
    .filter((facts) => facts !== undefined)
  // Ids are not given out again while a group has them: if this one was, the
  // group of that id is another one.
  const again = readProcess(pid)
  const isReused = again !== undefined && isAlive(again)
  const belongs = (facts: ProcessFacts) =>
    (!isReused && (facts.group === pid || facts.session === pid)) ||
    readVariable(facts, runTagVariable) === tag
  return withDescendants(
    seen,
    seen.filter((facts) => isAlive(facts) && belongs(facts)),
  )
}

/** Those that have any of these tags. */
export function findTagged(isMeant: (tag: string) => boolean): ProcessFacts[] {
  const seen = listPids()
    .filter((pid) => pid !== process.pid)
    .map(readProcess)
    .filter((facts) => facts !== undefined)
  const tagged = seen.filter((facts) => {
    if (!isAlive(facts)) return false
    const tag = readVariable(facts, runTagVariable)
    return tag !== undefined && isMeant(tag)
  })
  return withDescendants(seen, tagged)
}

function withDescendants(
  seen: readonly ProcessFacts[],
  found: readonly ProcessFacts[],
): ProcessFacts[] {
  const all = new Map(found.map((facts) => [facts.pid, facts]))
  let before = -1
  while (all.size !== before) {
    before = all.size
    for (const facts of seen) {
      if (all.has(facts.parent) && isAlive(facts)) all.set(facts.pid, facts)
    }
  }
  return [...all.values()]
}

/** It, and not another one that has got its id by now. */
export function endProcess({ pid, startTicks }: ProcessFacts): void {
  if (readProcess(pid)?.startTicks !== startTicks) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself, or is not ours to end.
  }
}

function endGroup(pid: number): number[] {
  try {
    process.kill(-pid, 'SIGKILL')
    return [pid]
  } catch {
    return []
  }
}

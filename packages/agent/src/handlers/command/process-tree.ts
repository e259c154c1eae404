import { setTimeout as pause } from 'node:timers/promises'
import {
  isAlive,
  listPids,
  listPidsSince,
  lookAtVariable,
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
  const first = lookForSurvivors(tree)
  const suspects = new Set([
    ...first.found.map(({ pid }) => pid),
    ...first.hidden,
  ])
  if (suspects.size === 0) return []
  // What is just about to end has not been left behind.
  await pause(endingMs)
  const ended = new Set<number>()
  const until = performance.now() + sweepMs
  for (;;) {
    const { found, hidden } = lookForSurvivors(tree)
    const isLast = performance.now() > until
    for (const survivor of found) {
      suspects.add(survivor.pid)
      if (survivor.isEnding && !isLast) continue
      ended.add(survivor.pid)
      endProcess(survivor)
    }
    const isUnsure = hidden.some((pid) => suspects.has(pid))
    if ((found.length === 0 && !isUnsure) || isLast) return [...ended]
    await pause(betweenMs)
  }
}

const endingMs = 15
const betweenMs = 5
const sweepMs = 500

/** Whoever belongs to the run, or descends from one who does, and is alive. */
export function findSurvivors(tree: ProcessTree): ProcessFacts[] {
  return lookForSurvivors(tree).found
}

interface Look {
  readonly found: ProcessFacts[]
  /** As young as the run; whether they belong to it cannot be told just now. */
  readonly hidden: readonly number[]
}

function lookForSurvivors({ pid, tag, isOld }: ProcessTree): Look {
  const seen = (isOld ? listPids() : listPidsSince(pid))
    .filter((one) => one !== process.pid)
    .map(readProcess)
    .filter((facts) => facts !== undefined)
  // Ids are not given out again while a group has them: if this one was, the
  // group of that id is another one.
  const again = readProcess(pid)
  const isReused = again !== undefined && isAlive(again)
  const hidden: number[] = []
  const belongs = (facts: ProcessFacts) => {
    const isNear = facts.group === pid || facts.session === pid
    if (!isReused && isNear) return true
    const { value, isHidden } = lookAtVariable(facts, runTagVariable)
    if (isHidden && !isOld && !facts.isEnding) hidden.push(facts.pid)
    return value === tag
  }
  const own = seen.filter((facts) => isAlive(facts) && belongs(facts))
  return { found: withDescendants(seen, own), hidden }
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

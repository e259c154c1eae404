import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Code } from './imports-of.ts'
import { leadsTo } from './leads-to.ts'

const maxFileBytes = 1_048_576
/** What has no ending is code to whoever requires it. */
const codePath = /(?:\.[cm]?[jt]sx?|[/\\][^./\\]+)$/i

/** More are not followed: of a project, nothing with so many can be trusted. */
export const maxNames = 5_000

export interface CodeWalkOptions {
  /** Says which names stand in a file of code. */
  readonly follow: (code: Code) => Iterable<string>
  readonly maxNames?: number
  /** Of the files that are read for names; default 64 MiB. */
  readonly maxBytes?: number
}

/**
 * Follows files of code to what they lead to. A name counts once, however often
 * it is written and whatever it may stand for; that is 25 paths at most, so that
 * the number of names also bounds how many paths are looked at.
 */
export class CodeWalk {
  readonly #follow: (code: Code) => Iterable<string>
  readonly #maxNames: number
  readonly #names = new Set<string>()
  #bytesLeft: number

  constructor({
    follow,
    maxNames: most = maxNames,
    maxBytes = 64 * 1_048_576,
  }: CodeWalkOptions) {
    this.#follow = follow
    this.#maxNames = most
    this.#bytesLeft = maxBytes
  }

  /** How many names it was led to. */
  get count(): number {
    return this.#names.size
  }

  /** There is more than is looked at: what it has found is not all. */
  get isOver(): boolean {
    return this.count > this.#maxNames || this.#bytesLeft < 0
  }

  /** The paths that a file leads to, whether there is anything or not. */
  *from(path: string): Generator<string> {
    if (this.isOver) return
    const text = textOf(path)
    this.#bytesLeft -= text.length
    if (this.isOver || text === '') return
    for (const name of this.#follow({ path, text })) {
      yield* this.pathsOf(name)
      if (this.isOver) return
    }
  }

  /** All that a name may stand for; nothing, where it was named before. */
  pathsOf(name: string): readonly string[] {
    if (this.isOver || this.#names.has(name)) return []
    this.#names.add(name)
    return this.isOver ? [] : leadsTo(name)
  }
}

/** Whether a file would be run where it is imported or required. */
export function isCode(path: string): boolean {
  return codePath.test(path)
}

function textOf(path: string): string {
  if (basename(path) !== 'package.json' && !isCode(path)) return ''
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    const isRead = stats?.isFile() === true && stats.size <= maxFileBytes
    return isRead ? readFileSync(path, 'utf8') : ''
  } catch {
    // It cannot be read, which is told elsewhere.
    return ''
  }
}

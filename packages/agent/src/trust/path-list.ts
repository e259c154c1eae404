import { relative } from 'node:path'
import { CodeWalk } from '../handlers/module/code-walk.ts'
import { importsOf } from '../handlers/module/imports-of.ts'

export interface NamedPath {
  /** As its source names it. */
  readonly named: string
  readonly path: string
  /** It has to be there, or nothing can run. */
  readonly isNeeded: boolean
}

/**
 * The paths of a source, in the order they are found, also while somebody goes
 * through them. What counts is what is named, not all that a name may stand for.
 */
export class PathList implements Iterable<NamedPath> {
  readonly #project: string
  readonly #maxNames: number
  readonly #found = new Map<string, NamedPath>()
  readonly #walk: CodeWalk
  #named = 0

  constructor(project: string, maxNames: number) {
    this.#project = project
    this.#maxNames = maxNames
    this.#walk = new CodeWalk({ follow: importsOf, maxNames })
  }

  /** There is more than can be looked at; no more is taken. */
  get isFull(): boolean {
    const count = this.#named + this.#walk.count
    return count > this.#maxNames || this.#walk.isOver
  }

  [Symbol.iterator](): Iterator<NamedPath> {
    return this.#found.values()
  }

  /** Nothing runs without it. */
  need(named: string, path: string): void {
    this.#named += 1
    this.#found.set(path, { named, path, isNeeded: true })
  }

  add(named: string, path: string): void {
    if (this.isFull || this.#found.has(path)) return
    this.#named += 1
    this.#found.set(path, { named, path, isNeeded: false })
  }

  /** What is not named, but found by way of what is. */
  addFurther(path: string): void {
    this.add(relative(this.#project, path), path)
  }

  /** All that a program which runs code may take for a path. */
  addCode(named: string, path: string): void {
    for (const one of this.#walk.pathsOf(path)) {
      this.#addFound(one, one === path ? named : undefined)
    }
  }

  /** All that a file may load from beside it. */
  addImportsOf(path: string): void {
    for (const one of this.#walk.from(path)) {
      if (this.isFull) return
      this.#addFound(one)
    }
  }

  #addFound(path: string, named = relative(this.#project, path)): void {
    if (this.#found.has(path)) return
    this.#found.set(path, { named, path, isNeeded: false })
  }
}

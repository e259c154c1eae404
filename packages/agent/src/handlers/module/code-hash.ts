import { createHash } from 'node:crypto'
import { CodeWalk } from './code-walk.ts'
import { FileHash, type FileState } from './file-hash.ts'
import type { Code } from './imports-of.ts'

interface Looked {
  readonly file: FileHash
  readonly state: FileState
}

/**
 * The hash of a file of code with what it loads from beside it. To ask again
 * costs little as long as none of the files has changed.
 */
export class CodeHash {
  readonly path: string
  readonly #follow: (code: Code) => Iterable<string>
  #known: { readonly all: readonly Looked[]; readonly hash: string } | undefined

  /** Takes what says which names stand in a file. */
  constructor(path: string, follow: (code: Code) => Iterable<string>) {
    this.path = path
    this.#follow = follow
  }

  read(): FileState {
    const known = this.#known
    const isSame = known?.all.every(({ file, state }) => {
      return isSameState(file.read(), state)
    })
    if (known !== undefined && isSame) return { hash: known.hash }
    this.#known = undefined
    const main = new FileHash(this.path)
    const state = main.read()
    if (state.hash === undefined) return state
    const all = this.#walk({ file: main, state })
    const hash = createHash('sha256')
    for (const { file, state: found } of all) {
      if (found.hash !== undefined) hash.update(`${file.path}\0${found.hash}\0`)
    }
    this.#known = { all, hash: hash.digest('hex') }
    return { hash: this.#known.hash }
  }

  #walk(main: Looked): readonly Looked[] {
    const walk = new CodeWalk({ follow: this.#follow })
    const all = new Map([[this.path, main]])
    // Those that are found on the way come to their turn, too.
    for (const found of all.keys()) {
      for (const path of walk.from(found)) {
        if (all.has(path)) continue
        const file = new FileHash(path)
        all.set(path, { file, state: file.read() })
      }
    }
    return [...all.values()]
  }
}

/** A folder that came where nothing was leads to other files. */
function isSameState(one: FileState, other: FileState): boolean {
  return one.hash === other.hash && one.problem === other.problem
}

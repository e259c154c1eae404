import { createHash } from 'node:crypto'
import { FileHash, type FileState } from './file-hash.ts'

/** More are not followed: of a project, none with so many can be trusted. */
const maxFiles = 5_000

interface Looked {
  readonly file: FileHash
  readonly hash: string | undefined
}

/**
 * The hash of a file of code with what it loads from beside it. To ask again
 * costs little as long as none of the files has changed.
 */
export class CodeHash {
  readonly path: string
  readonly #follow: (path: string) => readonly string[]
  #known: { readonly all: readonly Looked[]; readonly hash: string } | undefined

  /** Takes what says which paths a file leads to. */
  constructor(path: string, follow: (path: string) => readonly string[]) {
    this.path = path
    this.#follow = follow
  }

  read(): FileState {
    const known = this.#known
    const isSame = known?.all.every(({ file, hash }) => {
      return file.read().hash === hash
    })
    if (known !== undefined && isSame) return { hash: known.hash }
    this.#known = undefined
    const main = new FileHash(this.path)
    const state = main.read()
    if (state.hash === undefined) return state
    const all = this.#walk({ file: main, hash: state.hash })
    const hash = createHash('sha256')
    for (const one of all) {
      hash.update(`${one.file.path}\0${one.hash ?? ''}\0`)
    }
    this.#known = { all, hash: hash.digest('hex') }
    return { hash: this.#known.hash }
  }

  #walk(main: Looked): readonly Looked[] {
    const all = new Map([[this.path, main]])
    // Those that are found on the way come to their turn, too.
    for (const found of all.keys()) {
      for (const path of this.#follow(found)) {
        if (all.size >= maxFiles) break
        if (all.has(path)) continue
        const file = new FileHash(path)
        all.set(path, { file, hash: file.read().hash })
      }
    }
    return [...all.values()]
  }
}

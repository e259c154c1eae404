import type { Caller } from '../protocol/caller.ts'
import type { Right } from '../protocol/routes.ts'
import { withLock } from './file-lock.ts'
import { HomeError } from './home-error.ts'
import {
  findByHash,
  hashToken,
  isPrincipalName,
  makeToken,
  ownerName,
  type Principal,
  principalFile,
} from './principal.ts'
import { readPrivateFile, replacePrivateFile } from './private-file.ts'
import { lookAt } from './private-folder.ts'

/** How the server learns whose a token is. */
export interface Tokens {
  callerOf(token: string): Caller | undefined
  /** The same for whoever knows the hash of a token only. */
  callerByHash(hash: string): Caller | undefined
}

export interface NewPrincipal {
  readonly name: string
  readonly kind?: 'user' | 'service'
  readonly rights: readonly Right[]
  readonly expiresAt?: number
}

export interface Principals extends Tokens {
  list(): readonly Principal[]
  /** Its token is told once, here. */
  create(
    principal: NewPrincipal,
  ): Promise<{ readonly principal: Principal; readonly token: string }>
  /** Whether there was one. */
  revoke(name: string): Promise<boolean>
}

export interface PrincipalsOptions {
  /** Of the file. */
  readonly path: string
  readonly now?: () => number
}

/** Names that the daemon has for its own. */
const reserved = new Set([ownerName, 'anybody'])

/** Those of a home. Other processes may change the file at any time. */
export class PrincipalBook implements Principals {
  readonly #path: string
  readonly #now: () => number
  #known: { readonly stamp: string; readonly all: readonly Principal[] } = {
    stamp: '',
    all: [],
  }

  constructor({ path, now = Date.now }: PrincipalsOptions) {
    this.#path = path
    this.#now = now
  }

  list(): readonly Principal[] {
    const stamp = stampOf(this.#path)
    if (stamp !== this.#known.stamp) {
      this.#known = { stamp, all: readBook(this.#path) }
    }
    return this.#known.all
  }

  callerOf(token: string): Caller | undefined {
    return this.callerByHash(hashToken(token))
  }

  callerByHash(hash: string): Caller | undefined {
    const found = findByHash(this.list(), hash)
    if (found === undefined) return undefined
    const { expiresAt = Number.POSITIVE_INFINITY } = found
    if (this.#now() >= expiresAt) return undefined
    return { kind: found.kind, id: found.name, rights: new Set(found.rights) }
  }

  async create(given: NewPrincipal) {
    if (!isPrincipalName(given.name) || reserved.has(given.name)) {
      const message = `"${given.name}" cannot be the name of a principal; use small letters, digits and any of ._@- (and none of ${[...reserved].join(', ')}).`
      throw new HomeError('bad-principal', message)
    }
    const token = makeToken()
    const { name, kind = 'user', rights, expiresAt } = given
    const principal: Principal = {
      name,
      kind,
      rights: [...new Set(rights)],
      tokenHash: hashToken(token),
      createdAt: this.#now(),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    }
    await this.#change((all) => {
      if (all.some((other) => other.name === name)) {
        const message = `There is a principal "${name}" already; revoke it first, or choose another name.`
        throw new HomeError('bad-principal', message)
      }
      return [...all, principal]
    })
    return { principal, token }
  }

  async revoke(name: string): Promise<boolean> {
    if (name === ownerName) {
      const message = `"${ownerName}" has the token of the home and cannot be revoked; remove the file "token" and start the daemon again for a new one.`
      throw new HomeError('bad-principal', message)
    }
    let wasThere = false
    await this.#change((all) => {
      const left = all.filter((one) => one.name !== name)
      wasThere = left.length < all.length
      return left
    })
    return wasThere
  }

  /** The token of the home is the owner's, and no earlier one is. */
  async setOwner(token: string): Promise<void> {
    const tokenHash = hashToken(token)
    const isOwner = (one: Principal) => one.name === ownerName
    if (this.list().find(isOwner)?.tokenHash === tokenHash) return
    await this.#change((all) => [
      {
        name: ownerName,
        kind: 'user',
        rights: ['run', 'approve', 'admin'],
        tokenHash,
        createdAt: this.#now(),
      },
      ...all.filter((one) => !isOwner(one)),
    ])
  }

  async #change(
    make: (all: readonly Principal[]) => readonly Principal[],
  ): Promise<void> {
    await withLock(`${this.#path}.lock`, () => {
      const all = readBook(this.#path)
      const next = make(all)
      if (
        next.length === all.length &&
        next.every((one, at) => one === all[at])
      )
        return
      const text = JSON.stringify({ version: 1, principals: next }, null, 2)
      replacePrivateFile(this.#path, `${text}\n`)
    })
  }
}

function stampOf(path: string): string {
  const stats = lookAt(path)
  if (stats === undefined) return 'absent'
  const { dev, ino, size, mtimeMs, ctimeMs, mode, uid } = stats
  return [dev, ino, size, mtimeMs, ctimeMs, mode, uid].join()
}

function readBook(path: string): readonly Principal[] {
  const text = readPrivateFile(path)
  if (text === undefined) return []
  try {
    return principalFile.parse(JSON.parse(text)).principals
  } catch (error) {
    const message = `"${path}" cannot be understood, so that nobody is let in; restore it, or remove it and create principals anew.`
    throw new HomeError('corrupt-home', message, { cause: error })
  }
}

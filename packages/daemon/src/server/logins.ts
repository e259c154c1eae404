import { randomBytes } from 'node:crypto'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Service } from '../protocol/service.ts'
import { findByHash, hashToken, makeToken, tokenPrefix } from './principal.ts'
import type { Tokens } from './principals.ts'
import type { ServerLog } from './server-log.ts'

export interface LoginsOptions {
  readonly tokens: Tokens
  /** Where the pages are; undefined: nowhere. */
  readonly url?: () => string | undefined
  readonly log: ServerLog
  readonly now?: () => number
}

/** How long a code counts, and a token that nobody uses. */
const codeMs = 60_000
const idleMs = 12 * 3_600_000

/** Of one principal, and of all. */
const maxOwn = 20
const maxAll = 200
/** So many may be made one by the other. */
const maxLine = 10

/** So many wrong codes may come at once; then one in so long. */
const maxWrong = 20
const wrongMs = 3_000

/** Who a code or a token stands for, as long as they may come in. */
type Holder = () => Caller | undefined

interface Kept {
  readonly tokenHash: string
  readonly owner: string
  readonly holder: Holder
  /** The login that it was made by, if it was by one. */
  readonly madeBy: Kept | undefined
  endsAt: number
}

type LoginService = Pick<Service, 'createLogin' | 'login' | 'logout'>

/**
 * Lets browsers in: whoever has a token makes a code of it, and the code is
 * exchanged for a token that lives here only. Neither is kept but as its hash.
 */
export class Logins implements Tokens {
  readonly #options: LoginsOptions
  readonly #now: () => number
  readonly #codes = new Set<Kept>()
  readonly #tokens = new Set<Kept>()
  readonly #holders = new WeakMap<Caller, Holder>()
  /** Which login a caller came in by. */
  readonly #entries = new WeakMap<Caller, Kept>()
  #wrongLeft = maxWrong
  #wrongAt: number

  constructor(options: LoginsOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#wrongAt = this.#now()
  }

  callerOf(token: string): Caller | undefined {
    return this.callerByHash(hashToken(token))
  }

  callerByHash(hash: string): Caller | undefined {
    const { tokens } = this.#options
    const known = tokens.callerByHash(hash)
    if (known !== undefined) {
      this.#holders.set(known, () => tokens.callerByHash(hash))
      return known
    }
    const login = findByHash(this.#alive(this.#tokens), hash)
    const holder = login?.holder()
    if (login === undefined || holder === undefined) return undefined
    login.endsAt = this.#now() + idleMs
    const caller = { ...holder }
    this.#holders.set(caller, login.holder)
    this.#entries.set(caller, login)
    return caller
  }

  readonly service: LoginService = {
    createLogin: (_, { caller }) => {
      const code = `${tokenPrefix}login_${randomBytes(32).toString('base64url')}`
      // Whoever runs the process has no token, and needs none.
      const holder = this.#holders.get(caller) ?? (() => caller)
      const endsAt = this.#now() + codeMs
      const owner = caller.id
      const tokenHash = hashToken(code)
      const madeBy = this.#entries.get(caller)
      if (lineOf(madeBy).length >= maxLine) {
        const message = `This login was made by another one, and so on for ${maxLine} times; get a code with "hookline open".`
        throw new ProtocolError('not-allowed', message)
      }
      this.#keep(this.#codes, { tokenHash, owner, holder, madeBy, endsAt })
      const url = this.#options.url?.()
      return { code, expiresAt: endsAt, ...(url !== undefined && { url }) }
    },
    login: ({ code }) => {
      this.#checkPace()
      const found = findByHash(this.#alive(this.#codes), hashToken(code))
      const caller = found?.holder()
      if (found === undefined || caller === undefined) {
        this.#wrongLeft--
        const message =
          'The code is wrong, was used before, or is too old; get a new one with "hookline open".'
        throw new ProtocolError('no-token', message)
      }
      this.#codes.delete(found)
      const token = makeToken()
      const { owner, holder, madeBy } = found
      const endsAt = this.#now() + idleMs
      const tokenHash = hashToken(token)
      this.#keep(this.#tokens, { tokenHash, owner, holder, madeBy, endsAt })
      this.#options.log.info('login', { caller: caller.id })
      const { kind, id, rights } = caller
      return { token, caller: { kind, id, rights: [...rights] } }
    },
    logout: (_, { caller }) => {
      const login = this.#entries.get(caller)
      if (login === undefined) {
        const message =
          'This token is no login, so that nothing ends; "hookline principals revoke" takes it back.'
        throw new ProtocolError('bad-request', message)
      }
      this.#end(login)
      return { ok: true }
    },
  }

  /** Nothing is left behind that it has made, however that was made. */
  #end(login: Kept): void {
    for (const all of [this.#codes, this.#tokens]) {
      for (const one of all) if (lineOf(one).includes(login)) all.delete(one)
    }
  }

  #alive(all: Set<Kept>): Set<Kept> {
    const now = this.#now()
    for (const one of all) if (one.endsAt <= now) all.delete(one)
    return all
  }

  /** Who has too many loses the oldest; nobody takes another's place. */
  #keep(all: Set<Kept>, one: Kept): void {
    this.#alive(all)
    const own = [...all].filter(({ owner }) => owner === one.owner)
    const [oldest] = own.toSorted((a, b) => a.endsAt - b.endsAt)
    if (own.length >= maxOwn && oldest !== undefined) all.delete(oldest)
    if (all.size >= maxAll) {
      const message = `${maxAll} logins are open, which is the most there may be; end one of them.`
      throw new ProtocolError('too-many', message)
    }
    all.add(one)
  }

  #checkPace(): void {
    const gained = Math.floor((this.#now() - this.#wrongAt) / wrongMs)
    this.#wrongLeft = Math.min(maxWrong, this.#wrongLeft + gained)
    this.#wrongAt += gained * wrongMs
    if (this.#wrongLeft > 0) return
    const message = 'Too many wrong codes came in; wait some seconds.'
    throw new ProtocolError('too-many', message)
  }
}

/** The login itself, what it was made by, and so on. */
function lineOf(login: Kept | undefined): readonly Kept[] {
  const line: Kept[] = []
  for (let one = login; one !== undefined; one = one.madeBy) line.push(one)
  return line
}

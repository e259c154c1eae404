import { Session, type SessionOptions } from './session.ts'

/** Connections that are open; how many may be is for others to say. */
export class Sessions {
  readonly #options: SessionOptions
  readonly #idle: Session[] = []

  constructor(options: SessionOptions) {
    this.#options = options
  }

  async use<Value>(work: (session: Session) => Promise<Value>): Promise<Value> {
    const session = this.#takeIdle() ?? (await Session.connect(this.#options))
    try {
      return await work(session)
    } finally {
      if (!session.isBroken) {
        session.rest()
        this.#idle.push(session)
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((session) => session.end()))
  }

  #takeIdle(): Session | undefined {
    for (;;) {
      const session = this.#idle.pop()
      if (session?.isBroken) continue
      session?.wake()
      return session
    }
  }
}

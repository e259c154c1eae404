import { Session, type SessionOptions } from './session.ts'

/** Connections that are open; how many may be is for others to say. */
export class Sessions {
  readonly #options: SessionOptions
  readonly #idle: Session[] = []

  constructor(options: SessionOptions) {
    this.#options = options
  }

  async use<Value>(work: (session: Session) => Promise<Value>): Promise<Value> {
    const session = this.#takeIdle() ?? (await this.connect())
    try {
      return await work(session)
    } finally {
      if (!session.isBroken) {
        session.rest()
        this.#idle.push(session)
      }
    }
  }

  /** One that nobody else gets; whoever has it ends it. */
  async connect(): Promise<Session> {
    return await Session.connect(this.#options)
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

import { Socket } from 'node:net'
import type { Client } from 'pg'
import { loadPg } from '../postgres/load-pg.ts'

export interface EarOptions {
  readonly url: string
  /** How long an answer of the server is waited for. */
  readonly answerMs: number
  readonly heard: (text: string) => void
  readonly lost: () => void
}

/** One connection that listens; it does not keep the process alive. */
export class PostgresEar {
  readonly #options: EarOptions
  readonly #socket = new Socket()
  #client: Client | undefined

  constructor(options: EarOptions) {
    this.#options = options
  }

  async listen(channel: string): Promise<void> {
    const { url, answerMs, heard, lost } = this.#options
    const { Client } = await loadPg()
    const client = new Client({
      connectionString: url,
      stream: () => this.#socket,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: answerMs,
      application_name: 'hookline signals',
    })
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload }) => heard(payload ?? ''))
    this.#client = client
    await this.#answered(() => client.connect())
    await this.#answered(() => client.query(`LISTEN ${channel}`))
  }

  async tell(channel: string, texts: readonly string[]): Promise<void> {
    await this.#answered((client) => client.query(notify, [channel, texts]))
  }

  async ping(): Promise<void> {
    await this.#answered((client) => client.query('SELECT 1'))
  }

  /** At once: the server sees it, and forgets who listened. */
  destroy(): void {
    this.#socket.destroy()
  }

  /** A server that went away without a word never answers: then it ends. */
  async #answered(ask: (client: Client) => Promise<unknown>): Promise<void> {
    if (this.#client === undefined) return
    const timer = setTimeout(() => this.destroy(), this.#options.answerMs)
    this.#socket.ref()
    try {
      await ask(this.#client)
    } finally {
      clearTimeout(timer)
      this.#socket.unref()
    }
  }
}

const notify = 'SELECT pg_notify($1, told) FROM unnest($2::text[]) AS told'

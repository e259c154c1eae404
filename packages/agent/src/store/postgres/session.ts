import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import type { Client, ClientConfig } from 'pg'
import type { Result, Statement } from '../database.ts'
import { Batch, type BoundStatement, type KnownStatement } from './batch.ts'
import { makeReceipt, type Receipt } from './commit-receipts.ts'
import { numberPlaceholders } from './placeholders.ts'
import { isConnectionLost, readOnly, stateOf } from './postgres-failure.ts'
import { toWire } from './values.ts'

export interface SessionOptions {
  readonly Client: new (config: ClientConfig) => Client
  readonly url: string
  readonly schema: string
  readonly statementMs: number
  readonly synchronousCommit: 'on' | 'off'
}

interface SessionParts {
  readonly client: Client
  readonly socket: Socket
  readonly statementMs: number
  /** By which it is known to the server. */
  readonly name: string
}

/** One connection, and the statements prepared on it. */
export class Session {
  readonly #client: Client
  readonly #socket: Socket
  readonly #statementMs: number
  readonly #known = new Map<string, KnownStatement>()
  readonly #name: string
  #lastToken = 0
  #isBroken = false

  private constructor({ client, socket, statementMs, name }: SessionParts) {
    this.#client = client
    this.#socket = socket
    this.#statementMs = statementMs
    this.#name = name
  }

  static async connect(options: SessionOptions): Promise<Session> {
    const { Client, url, schema, statementMs, synchronousCommit } = options
    const socket = new Socket()
    const name = `hookline ${randomUUID()}`
    const client = new Client({
      connectionString: url,
      stream: () => socket,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: statementMs,
      application_name: name,
    })
    const session = new Session({ client, socket, statementMs, name })
    // Whoever waits for an answer is told as well; nobody else needs to know.
    client.on('error', () => session.destroy())
    try {
      await client.connect()
      const timeout = String(statementMs)
      const values = [schema, timeout, timeout, synchronousCommit]
      await session.run([{ sql: settings, values }])
    } catch (error) {
      session.destroy()
      throw error
    }
    return session
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  /** What the next transaction leaves behind. */
  nextReceipt(): Receipt {
    this.#lastToken += 1
    return makeReceipt(this.#name, this.#lastToken)
  }

  /** Does all in one round trip; from the first that fails on, none. */
  async run(statements: readonly Statement[]): Promise<readonly Result[]> {
    const batch = new Batch(statements.map((one) => this.#bind(one)))
    return await this.#answer(() => {
      this.#client.query(batch)
      return batch.results
    })
  }

  /** Several statements without values, as migrations are. */
  async runScript(sql: string): Promise<void> {
    await this.#answer(() => this.#client.query(sql))
  }

  /** An idle connection does not keep the process alive. */
  rest(): void {
    this.#socket.unref()
  }

  wake(): void {
    this.#socket.ref()
  }

  /** At once, without a word to a server that may not be there any more. */
  destroy(): void {
    this.#isBroken = true
    this.#socket.destroy()
  }

  async end(): Promise<void> {
    this.#isBroken = true
    this.wake()
    await this.#client.end()
  }

  /** A server that went away without a word never answers: then it ends. */
  async #answer<Value>(ask: () => Promise<Value>): Promise<Value> {
    const timer = setTimeout(() => this.destroy(), 2 * this.#statementMs)
    try {
      return await ask()
    } catch (error) {
      // A server that became a standby is looked up anew, by its name.
      const isOver = isConnectionLost(error) || stateOf(error) === readOnly
      if (isOver) this.destroy()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #bind(given: Statement): BoundStatement {
    const { sql } = given
    const values = given.values.map(toWire)
    const known = this.#known.get(sql)
    if (known !== undefined) return { statement: known, values }
    const isRemembered = this.#known.size < maxRemembered
    const statement: KnownStatement = {
      name: isRemembered ? `hookline_${this.#known.size + 1}` : '',
      text: numberPlaceholders(sql),
      isParsed: false,
      fields: undefined,
    }
    if (isRemembered) this.#known.set(sql, statement)
    return { statement, values }
  }
}

/** A program has a few hundred statements; who makes them up is not helped. */
const maxRemembered = 1_000

/**
 * What is acknowledged is on the server's disk. A transaction that its process
 * no longer goes on with is ended, and what it had locked is free.
 */
const settings = `
SELECT set_config('search_path', quote_ident(?), false),
  set_config('statement_timeout', ?, false),
  set_config('idle_in_transaction_session_timeout', ?, false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('synchronous_commit',
    CASE WHEN current_setting('synchronous_commit') IN ('on', 'off', 'local')
    THEN ? ELSE current_setting('synchronous_commit') END, false)`

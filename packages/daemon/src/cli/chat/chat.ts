import { randomUUID } from 'node:crypto'
import type { Client } from '../../protocol/client.ts'
import type { StreamItem } from '../../protocol/schemas/events.ts'
import type {
  SessionDetail,
  TurnOutcome,
} from '../../protocol/schemas/sessions.ts'
import { whyEnded } from '../../protocol/words/end-words.ts'
import { explainError } from '../explain-error.ts'
import type { Style } from '../output/output.ts'
import { plainLine } from '../output/plain-text.ts'
import type { Asking } from '../turn/asking.ts'
import { createPresence, type Presence } from '../turn/presence.ts'
import { turnWords } from '../turn/turn-exit.ts'
import type { ChatScreen } from './chat-screen.ts'
import { readLine, renderSlashHelp, type SlashName } from './slash-commands.ts'

export interface ChatOptions {
  readonly client: Client
  readonly screen: ChatScreen
  readonly skills: ReadonlySet<string>
  readonly style: (style: Style, text: string) => string
  readonly createAsking: (sessionId: string) => Asking
  readonly view: (item: StreamItem) => void
  readonly openSession: () => Promise<SessionDetail>
  /** Why it is over. */
  readonly onEnd: (how: 'left' | 'interrupted') => void
}

/** A conversation with one agent: what is said, done and asked. */
export class Chat {
  readonly #options: ChatOptions
  #session: SessionDetail | undefined
  #asking: Asking | undefined
  #presence: Presence | undefined
  #stop = new AbortController()
  #following: Promise<void> = Promise.resolve()
  #isBusy = false
  #interrupts = 0

  constructor(options: ChatOptions) {
    this.#options = options
  }

  get sessionId(): string {
    return this.#session?.id ?? ''
  }

  async begin(session: SessionDetail): Promise<void> {
    await this.end()
    this.#stop = new AbortController()
    this.#session = session
    const { client } = this.#options
    this.#asking = this.#options.createAsking(session.id)
    const { id: sessionId, cursor } = session
    const items = client.watchSession(
      { sessionId, ...(cursor !== undefined && { after: cursor }) },
      { signal: this.#stop.signal },
    )
    this.#following = this.#follow(items)
    this.#presence = createPresence(client, sessionId)
    await this.#presence.arrive()
    if (session.state === 'running' || session.state === 'waiting') {
      this.#setBusy(true)
      this.#asking.look()
    } else if (session.state === 'interrupted') {
      this.#note('dim', 'A turn of this session was interrupted; it goes on.')
      await this.#start(() => client.resume({ sessionId }))
    }
  }

  async end(): Promise<void> {
    this.#stop.abort()
    await this.#asking?.close()
    await this.#following
    await this.#presence?.leave()
  }

  /** What somebody has typed. */
  hear(line: string): void {
    this.#interrupts = 0
    this.#obey(line)
      .catch((error: unknown) => {
        const { message, hint } = explainError(error)
        this.#note('red', message)
        if (hint !== undefined) this.#note('dim', hint)
      })
      .finally(() => this.#options.screen.ask())
  }

  /** The first time what runs is cancelled, the second time it is left. */
  interrupt(): void {
    const { client, onEnd } = this.#options
    if (++this.#interrupts > 1) {
      onEnd('interrupted')
      return
    }
    if (!this.#isBusy) {
      this.#note('dim', 'Once more, or /exit, to leave.')
      this.#options.screen.ask()
      return
    }
    this.#note('dim', 'Cancelling; once more to leave at once.')
    const { sessionId } = this
    client.cancel({ sessionId, reason: 'interrupted' }).catch(() => {
      // It has ended meanwhile, or the stream says what is wrong.
    })
  }

  async #obey(line: string): Promise<void> {
    const { client, skills } = this.#options
    const read = readLine(line, skills)
    if (read.type === 'nothing') return
    if (read.type === 'command') return await this.#command(read.name)
    if (read.type === 'unknown') {
      this.#note('yellow', `/${read.name} means nothing here; see /help.`)
      return
    }
    const { sessionId } = this
    const message = { sessionId, input: read.text, key: randomUUID() }
    if (!this.#isBusy) return await this.#start(() => client.send(message))
    const { type, reason } = await client.steer(message)
    // When it enters the conversation, the stream says so.
    if (type === 'rejected') {
      this.#note('red', `It was not taken: ${reason ?? 'no reason was given'}`)
    }
  }

  async #command(name: SlashName): Promise<void> {
    const { client, screen, openSession, onEnd } = this.#options
    const { sessionId } = this
    switch (name) {
      case 'help':
        return screen.note(renderSlashHelp())
      case 'exit':
        return onEnd('left')
      case 'new':
        await this.begin(await openSession())
        return this.#note('dim', `session ${this.sessionId}`)
      case 'session': {
        const { state, agent, turns } = await client.getSession({ sessionId })
        const text = `session ${sessionId}: ${agent}, ${state}, ${turns} turns`
        return this.#note('dim', text)
      }
      case 'cancel':
        await client.cancel({ sessionId })
        return
      case 'resume':
        return await this.#start(() => client.resume({ sessionId }))
      case 'compact':
        await client.compact({ sessionId })
        return this.#note('dim', 'It is shorter now.')
      default:
        name satisfies never
    }
  }

  async #start(start: () => Promise<TurnOutcome>): Promise<void> {
    this.#setBusy(true)
    try {
      const { status, reason = '' } = await start()
      if (status === 'started' || status === 'handed-over') return
      // It was over before it began; otherwise its events tell.
      if (this.#isBusy && status !== 'succeeded') {
        this.#note('red', `${turnWords[status]}: ${reason}`)
      }
      this.#setBusy(false)
    } catch (error) {
      this.#setBusy(false)
      throw error
    }
  }

  async #follow(items: AsyncIterable<StreamItem>): Promise<void> {
    const { view } = this.#options
    try {
      for await (const item of items) {
        view(item)
        this.#asking?.see(item)
        if (item.type === 'event' && item.event.path.length === 1) {
          this.#notice(item.event)
        }
      }
    } catch (error) {
      this.#note('red', explainError(error).message)
      this.#setBusy(false)
    }
  }

  #notice(event: Extract<StreamItem, { type: 'event' }>['event']): void {
    if (event.type === 'turn-start') this.#setBusy(true)
    if (event.type !== 'turn-end') return
    this.#options.screen.endText()
    const { status } = event
    if (status !== 'succeeded') {
      const reason = whyEnded(event)
      const why = reason === undefined ? '.' : `: ${reason}`
      this.#note('red', `${turnWords[status]}${why}`)
    }
    this.#interrupts = 0
    this.#setBusy(false)
  }

  #setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy
    this.#options.screen.setBusy(isBusy)
  }

  #note(style: Style, text: string): void {
    const { screen, style: paint } = this.#options
    screen.note(paint(style, plainLine(text)))
  }
}

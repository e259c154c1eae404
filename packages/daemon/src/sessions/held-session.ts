import { type Session, Suspension } from '@hookline/agent'
import { inputDigest } from '@hookline/agent/durable'
import type {
  Actor,
  AgentEvent,
  JsonObject,
  Origin,
  UserContent,
} from 'hookline/lifecycle'
import type { HostParts } from './host-parts.ts'
import { TurnRun } from './turn-run.ts'
import { within } from './within.ts'

/** What a session is begun with; of one that is kept, only its id counts. */
export interface NewSession {
  readonly agent: string
  readonly id?: string | undefined
  readonly cwd?: string | undefined
  readonly actor: Actor
}

/** What a turn is begun with. */
export interface TurnOrder {
  readonly input: string | UserContent
  /** The same input again is answered once. */
  readonly inputId: string
  /** What tells it from another input with that id; default: made of it. */
  readonly digest?: string
  readonly origin?: Origin
  readonly actor?: Actor
  readonly output?: JsonObject
  /** How many wakes led to it. */
  readonly depth?: number
  /** The message of the inbox that it is. */
  readonly message?: string
}

const keepMs = 2_000
const maxBegun = 100

export type HeldState = 'idle' | 'running' | 'waiting' | 'interrupted'

/** A session that this process has: one turn at a time, begun by the host. */
export class HeldSession {
  readonly session: Session
  readonly #parts: HostParts
  readonly #onEnd: (held: HeldSession) => void
  /** The newest turns that this process has begun itself. */
  readonly #begun = new Set<string>()
  #run: TurnRun | undefined
  /** A turn that the session begins by itself after the one that runs. */
  #later: string | undefined
  #leaving: Promise<void> | undefined

  constructor(
    parts: HostParts,
    session: Session,
    onEnd: (held: HeldSession) => void,
  ) {
    this.#parts = parts
    this.session = session
    this.#onEnd = onEnd
  }

  get id(): string {
    return this.session.id
  }

  /** The turn that runs. */
  get run(): TurnRun | undefined {
    return this.#run
  }

  get state(): HeldState {
    const { interrupted } = this.session
    if (this.#run === undefined) return interrupted ? 'interrupted' : 'idle'
    return this.#run.isWaiting ? 'waiting' : 'running'
  }

  /** It is let go of; whoever wants it has to take it again, after this. */
  get leaving(): Promise<void> | undefined {
    return this.#leaving
  }

  /** Begins a turn; only while none runs. Throws what the session throws. */
  start(order: TurnOrder): TurnRun {
    const { input, inputId, origin, actor, output, message, depth = 0 } = order
    const controller = new AbortController()
    const handle = this.session.send(input, {
      id: inputId,
      signal: controller.signal,
      ...(origin && { origin }),
      ...(actor && { actor }),
      ...(output && { output }),
      ...(message !== undefined && { message }),
      ...(depth > 0 && { depth }),
    })
    const { digest = inputDigest(input, output) } = order
    const facts = { inputId, digest, depth, controller }
    return this.#follow(new TurnRun(handle, facts))
  }

  /** Goes on with the turn that another process has left. */
  resume(signal?: AbortSignal): TurnRun {
    const { inputId, digest, depth = 0 } = this.session.interrupted ?? {}
    const controller = new AbortController()
    if (signal?.aborted) controller.abort(signal.reason)
    const handle = this.session.resume({ signal: controller.signal })
    const facts = { inputId, digest, depth, controller }
    return this.#follow(new TurnRun(handle, facts))
  }

  note(event: AgentEvent): void {
    const { type, turnId, sessionId } = event
    if (sessionId !== this.id) return
    if (type === 'turn-start') this.#adopt(turnId)
    this.#run?.note(event)
  }

  /** Lets go of the session; its turn goes on elsewhere, or later. */
  leave(): Promise<void> {
    this.#leaving ??= this.#leave()
    return this.#leaving
  }

  /** Ends the session for good. */
  close(reason: 'closed' | 'deleted' = 'closed'): Promise<void> {
    this.#leaving ??= this.session.close(reason)
    return this.#leaving
  }

  async #leave(): Promise<void> {
    const { pump, tell, clock } = this.#parts
    const run = this.#run
    // A moment later it is in the journal, and not lost.
    if (run !== undefined) await within(clock, keepMs, run.kept)
    const unmute = run && pump.mute(run.turnId)
    run?.suspend()
    await this.session.detach(run && new Suspension())
    const end = await run?.end
    unmute?.()
    if (run === undefined || end?.type !== 'suspended') return
    tell('turn-suspended', { turnId: run.turnId }, this.id)
  }

  #follow(run: TurnRun): TurnRun {
    this.#run = run
    this.#begun.add(run.turnId)
    const [oldest] = this.#begun
    if (this.#begun.size > maxBegun && oldest) this.#begun.delete(oldest)
    this.#parts.noteDepth(run.turnId, run.depth)
    void run.end.then(() => this.#end(run))
    return run
  }

  /**
   * Words that came too late for a turn become one of their own, which the
   * session begins by itself.
   */
  #adopt(id: string): void {
    // What is told of a turn may come when that is over, and the next begun.
    if (this.#begun.has(id) || this.#leaving !== undefined) return
    if (this.#run !== undefined) {
      this.#later = id
      return
    }
    const controller = new AbortController()
    const { signal } = controller
    // Whoever lets go of the session suspends all that runs in it.
    signal.addEventListener('abort', () => {
      const { reason } = signal
      if (!(reason instanceof Suspension)) this.session.cancel(String(reason))
    })
    const result = this.session.idle().then(() => undefined)
    const input = { inputId: undefined, digest: undefined }
    const facts = { ...input, depth: 0, controller }
    this.#follow(new TurnRun({ id, result }, facts))
  }

  #end(run: TurnRun): void {
    if (this.#run !== run) return
    this.#run = undefined
    const later = this.#later
    this.#later = undefined
    if (later === undefined) this.#onEnd(this)
    else this.#adopt(later)
    // It may be on its way out.
    if (later !== undefined && this.#run === undefined) this.#onEnd(this)
  }
}

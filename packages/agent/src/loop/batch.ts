import type { MergedEntry, ToolCall, ToolCallBlock } from 'hookline/lifecycle'
import {
  type CallFlow,
  type Ending,
  type PassedCall,
  type StoppedCall,
  stop,
} from './call-flow.ts'
import { type CallEnd, endCall, settleCall } from './end-call.ts'
import type { OwnedTool } from './parts.ts'
import { prepareCall } from './prepare-call.ts'
import { runCall } from './run-call.ts'
import { Slots } from './slots.ts'
import type { Turn } from './turn.ts'

/** The calls of one step: gates in call order, the rest at the same time. */
export class Batch {
  /** A hook wants the turn to end: what has not begun will not. */
  ending: Ending | undefined
  /** What a hook that must not fail has thrown. */
  failure: unknown
  readonly #turn: Turn
  readonly #slots: Slots
  readonly #flows: CallFlow[] = []
  readonly #ends: Promise<CallEnd>[] = []

  constructor(turn: Turn, ending?: Ending) {
    this.#turn = turn
    this.#slots = new Slots(turn.parts.toolConcurrency)
    this.ending = ending
  }

  /** What hooks want the model to know, in the order of the calls. */
  get context(): readonly MergedEntry[] {
    return this.#flows.flatMap(({ context }) => context)
  }

  /** Asks a call's gates; if they let it pass, it goes on by itself. */
  async begin(block: ToolCallBlock): Promise<void> {
    const { events, progress, agent } = this.#turn
    const owned = progress.tools.byName.get(block.tool)
    const call = callOf(block, owned)
    const flow: CallFlow = {
      turn: this.#turn,
      table: agent.table,
      scope: progress.scope,
      verdicts: [],
      context: [],
    }
    this.#flows.push(flow)
    if (events.isWatched) await events.emit({ type: 'tool-start', call })
    const gated = await this.#guarded(call, () => this.#gate(flow, call, owned))
    if (gated.type === 'passed') {
      // Not awaited: neither a person nor a slow tool holds up its siblings.
      this.#ends.push(this.#run(flow, gated))
      return
    }
    const end = this.#end(flow, gated)
    this.#ends.push(end)
    await end
  }

  /** In the order of the calls. */
  ends(): Promise<readonly CallEnd[]> {
    return Promise.all(this.#ends)
  }

  #gate(
    flow: CallFlow,
    call: ToolCall,
    owned: OwnedTool | undefined,
  ): StoppedCall | Promise<PassedCall | StoppedCall> {
    if (this.ending !== undefined || this.failure !== undefined) {
      const why = this.ending?.reason ?? 'a hook that must not fail has failed'
      const text = `The turn was ended before this call: ${why}`
      return stop(call, 'cancelled', 'cancelled', text)
    }
    if (owned !== undefined) return prepareCall(flow, owned, call)
    const names = [...this.#turn.progress.tools.byName.keys()].slice(0, 50)
    const known = names.join(', ') || 'none'
    const text = `There is no tool "${call.tool}". Available: ${known}.`
    return stop(call, 'denied', 'dispatch', text)
  }

  async #run(flow: CallFlow, passed: PassedCall): Promise<CallEnd> {
    const { clock } = this.#turn.parts
    const startedMs = clock.now()
    const stopped = await this.#guarded(passed.sealed, () =>
      runCall(flow, passed, this.#slots),
    )
    return this.#end(flow, stopped, clock.now() - startedMs)
  }

  async #end(
    flow: CallFlow,
    stopped: StoppedCall,
    elapsedMs = 0,
  ): Promise<CallEnd> {
    try {
      const end = await endCall(flow, stopped, elapsedMs)
      this.ending ??= end.ending
      return end
    } catch (thrown) {
      this.failure ??= thrown
      return settleCall(flow, stopped, elapsedMs)
    }
  }

  /** What breaks a call off becomes its result. */
  async #guarded<T>(
    call: ToolCall,
    work: () => T | Promise<T>,
  ): Promise<T | StoppedCall> {
    try {
      return await work()
    } catch (thrown) {
      if (this.#turn.signal.aborted) {
        return stop(call, 'cancelled', 'cancelled', 'The turn was cancelled.')
      }
      this.failure ??= thrown
      const text = 'A hook that must not fail has failed.'
      return stop(call, 'denied', 'denied', text)
    }
  }
}

/** The call as the model wrote it. */
function callOf(
  { id, tool, args }: ToolCallBlock,
  owned?: OwnedTool,
): ToolCall {
  const owner = owned?.owner ?? 'nobody'
  return { id, tool, owner, args, safety: owned?.tool.safety ?? 'destructive' }
}

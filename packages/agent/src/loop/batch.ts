import { freezeDeep, type MaybePromise } from 'hookline'
import type { MergedEntry, ToolCall, ToolCallBlock } from 'hookline/lifecycle'
import { hookOf } from '../data/hook-of.ts'
import type { OpenCall } from '../ports/store.ts'
import {
  byFault,
  byHook,
  type CallFlow,
  cancel,
  deny,
  type Ending,
  endedBefore,
  type Gated,
  type PassedCall,
  type StoppedCall,
} from './call-flow.ts'
import { Cancellation } from './cancellation.ts'
import { chain } from './chain.ts'
import { addSummary, type CallEnd, endCall, settleCall } from './end-call.ts'
import type { OwnedTool } from './parts.ts'
import { isAsked, permitCall } from './permit-call.ts'
import { prepareCall } from './prepare-call.ts'
import { refuseTool } from './refuse-tool.ts'
import { runCall } from './run-call.ts'
import { Slots } from './slots.ts'
import { takeUpCall } from './take-up-call.ts'
import type { Turn } from './turn.ts'

const hasFailed = 'a hook that must not fail has failed'

/**
 * The calls of one step: gates in call order, the rest at the same time. What
 * answers at once is not waited for.
 */
export class Batch {
  /** A hook wants the turn to end: what has not begun will not. */
  #ending: Ending | undefined
  /** What a gate that must not fail has thrown. */
  failure: { readonly thrown: unknown } | undefined
  readonly #turn: Turn
  /** Why none of the calls is made, in words for the model. */
  readonly #unmade: string | undefined
  readonly #slots: Slots
  readonly #step = new Cancellation()
  readonly #flows: CallFlow[] = []
  readonly #ends: MaybePromise<CallEnd>[] = []

  /** Whoever still waits, for a person or a free place, waits no longer. */
  readonly #endTurn = (ending: Ending) => {
    this.#ending ??= ending
    this.#step.abort(ending.reason)
  }

  constructor(turn: Turn, unmade?: string) {
    this.#turn = turn
    this.#unmade = unmade
    this.#slots = new Slots(turn.parts.toolConcurrency)
  }

  get ending(): Ending | undefined {
    return this.#ending
  }

  /** What hooks want the model to know, in the order of the calls. */
  get context(): readonly MergedEntry[] {
    return this.#flows.flatMap(({ context }) => context)
  }

  /** Asks the gates of calls, in order; what they let pass goes on by itself. */
  async begin(blocks: readonly ToolCallBlock[]): Promise<void> {
    for (const block of blocks) {
      const flow = this.#open()
      const owned = this.#toolOf(block)
      const call = callOf(block, owned)
      let gated: Gated
      try {
        const gating = this.#gate(flow, call, owned)
        gated = gating instanceof Promise ? await gating : gating
      } catch (thrown) {
        gated = this.#broken(call, thrown, 'a gate')
      }
      const stopping = this.#follow(flow, gated)
      if (stopping !== undefined) await stopping
    }
  }

  /** Goes on with a call that another process has left. */
  async resume(block: ToolCallBlock, open: OpenCall): Promise<void> {
    const flow = this.#open()
    const owned = this.#toolOf(block)
    const call = callOf(block, owned)
    let gated: Gated
    try {
      const isLeft = this.#unmade !== undefined
      const taken = await takeUpCall(flow, owned, { ...open, isLeft })
      if (taken.type === 'ended') {
        addSummary(this.#turn, taken.ended)
        this.#ends.push({ ended: taken.ended, hasBegun: true })
        return
      }
      const isAfresh = taken.type === 'afresh'
      gated = isAfresh ? await this.#gate(flow, call, owned) : taken
    } catch (thrown) {
      gated = this.#broken(call, thrown, 'a gate')
    }
    await this.#follow(flow, gated)
  }

  #open(): CallFlow {
    const { progress, agent } = this.#turn
    const flow: CallFlow = {
      turn: this.#turn,
      table: agent.table,
      scope: progress.scope,
      runs: [],
      context: [],
      step: this.#step,
      endTurn: this.#endTurn,
      isTold: false,
    }
    this.#flows.push(flow)
    return flow
  }

  #toolOf({ tool }: ToolCallBlock): OwnedTool | undefined {
    return this.#turn.progress.tools.byName.get(tool)
  }

  /** In the order of the calls, when all have ended. */
  get ends(): readonly MaybePromise<CallEnd>[] {
    return this.#ends
  }

  #gate(
    flow: CallFlow,
    call: ToolCall,
    owned: OwnedTool | undefined,
  ): MaybePromise<Gated> {
    if (this.#unmade !== undefined) return cancel(call, this.#unmade)
    if (this.#ending !== undefined || this.failure !== undefined) {
      return cancel(call, endedBefore(this.#ending?.reason ?? hasFailed))
    }
    if (owned !== undefined) return prepareCall(flow, owned, call)
    return refuseTool(this.#turn, call)
  }

  /** What was stopped is waited for: hooks that see its end may end the turn. */
  #follow(flow: CallFlow, gated: Gated): Promise<unknown> | undefined {
    if (gated.type === 'stopped') {
      const end = this.#finish(flow, gated)
      this.#ends.push(end)
      return end
    }
    // Not waited for: neither a person nor a slow tool holds up its siblings.
    const end = isAsked(gated)
      ? this.#permit(flow, gated)
      : this.#run(flow, gated)
    // It is waited for when all have begun; until then nobody hears of it.
    if (end instanceof Promise) end.catch(() => {})
    this.#ends.push(end)
    return undefined
  }

  /** Past people. */
  async #permit(flow: CallFlow, passed: PassedCall): Promise<CallEnd> {
    let permitted: Gated
    try {
      permitted = await permitCall(flow, passed)
    } catch (thrown) {
      permitted = this.#broken(passed.sealed, thrown, 'the approvals')
    }
    return permitted.type === 'stopped'
      ? this.#finish(flow, permitted)
      : this.#run(flow, permitted)
  }

  /** When its turn comes, to its end. */
  #run(flow: CallFlow, permitted: PassedCall): MaybePromise<CallEnd> {
    const slot = this.#slots.take()
    return chain(slot, () => this.#finish(flow, permitted))
  }

  /** Runs what may run, and shows how it ended; it has a slot, if it runs. */
  async #finish(flow: CallFlow, gated: Gated): Promise<CallEnd> {
    const { clock } = this.#turn.parts
    const startedMs = clock.now()
    const isRun = gated.type === 'passed'
    let stopped: StoppedCall
    try {
      const running = isRun ? runCall(flow, gated) : gated
      stopped = running instanceof Promise ? await running : running
    } catch (thrown) {
      if (!isRun) throw thrown
      stopped = this.#broken(gated.sealed, thrown, 'the journal')
    }
    const elapsedMs = isRun ? clock.now() - startedMs : 0
    try {
      const ending = endCall(flow, stopped, elapsedMs)
      return ending instanceof Promise ? await ending : ending
    } catch (thrown) {
      this.#fail(thrown)
      return await settleCall(flow, stopped, elapsedMs, thrown)
    } finally {
      // Not before its hooks have answered: they may end the turn.
      if (isRun) this.#slots.free()
    }
  }

  /** What the turn is lost by: what has not begun will not. */
  #fail(thrown: unknown): void {
    this.failure ??= { thrown }
    this.#step.abort(hasFailed)
  }

  /** What breaks a call off becomes its result; `what`: where no hook did. */
  #broken(
    call: ToolCall,
    thrown: unknown,
    what: Parameters<typeof byFault>[0],
  ): StoppedCall {
    if (this.#turn.signal.aborted) {
      return cancel(call, 'The turn was cancelled.')
    }
    if (this.#step.aborted) {
      return cancel(call, endedBefore(this.#ending?.reason ?? hasFailed))
    }
    this.#fail(thrown)
    const text = `The call was stopped: ${what} failed.`
    const hook = hookOf(thrown)
    return deny(call, text, hook === undefined ? byFault(what) : byHook(hook))
  }
}

/** The call as the model wrote it. */
function callOf(block: ToolCallBlock, owned?: OwnedTool): ToolCall {
  const { id, tool } = block
  const args = freezeDeep(block.args)
  const owner = owned?.owner ?? 'nobody'
  return { id, tool, owner, args, safety: owned?.tool.safety ?? 'destructive' }
}

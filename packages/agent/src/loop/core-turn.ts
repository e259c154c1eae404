import type { MaybePromise } from 'hookline'
import { runtimeTurnPreContext } from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import type { CoreEnd, CoreTurn, ModelReply } from '../ports/core.ts'
import { renderContext } from '../prompt/render-context.ts'
import { ask } from './ask.ts'
import { askStop } from './ask-stop.ts'
import { beginStep } from './begin-step.ts'
import { compilePrompt } from './compile-prompt.ts'
import { readContext } from './edits.ts'
import { hasUnmade, leaveCalls, leaveReply, unmade } from './leave-calls.ts'
import { callModel } from './model-call.ts'
import { resumeCalls } from './resume-calls.ts'
import { isSuspended } from './suspension.ts'
import { callTools } from './tool-batch.ts'
import type { Turn } from './turn.ts'

/** A turn as its core sees it: nothing but what the port promises. */
export class TurnForCore implements CoreTurn {
  readonly #held: Turn
  /** The calls that another process has left are still to be made. */
  #hasLeft: boolean
  #isOver = false
  /** What the turn has come to by the calls that the core went on without. */
  #left: CoreEnd | undefined

  constructor(turn: Turn) {
    this.#held = turn
    this.#hasLeft = turn.open?.step !== undefined
  }

  /**
   * The core has ended: what it keeps of the turn is of no more use. Calls that
   * it has not made end too; gives what the turn has come to by them.
   */
  end(): MaybePromise<CoreEnd | undefined> {
    this.#isOver = true
    const turn = this.#held
    // What they come to is known where it goes on.
    if (isSuspended(turn.signal)) return undefined
    if (this.#hasLeft && turn.open !== undefined) {
      this.#hasLeft = false
      return resumeCalls(turn, { ...turn.open, unmade })
    }
    const { reply } = turn.progress
    return reply && hasUnmade(turn) ? leaveCalls(turn, reply) : this.#left
  }

  // No getter: for a private one V8 calls into its runtime each time.
  #turn(): Turn {
    if (!this.#isOver) return this.#held
    throw new AgentError('invalid-call', 'The turn of this core is over.')
  }

  get agent() {
    return this.#turn().agent.config
  }

  get content() {
    return this.#turn().progress.content
  }

  get scope() {
    return this.#turn().progress.scope
  }

  get signal() {
    return this.#turn().signal.signal
  }

  get tools() {
    return this.#turn().progress.tools.declarations
  }

  get messages() {
    return this.#turn().conversation.shown
  }

  compilePrompt(): MaybePromise<void> {
    const turn = this.#turn()
    if (!hasUnmade(turn)) return compilePrompt(turn)
    return this.#goOn().then((left) =>
      left === undefined ? compilePrompt(turn) : undefined,
    )
  }

  finishStep(): MaybePromise<CoreEnd | undefined> {
    const turn = this.#turn()
    const { open } = turn
    if (open === undefined || !this.#hasLeft) return undefined
    this.#hasLeft = false
    return resumeCalls(turn, open)
  }

  async externalContext(): Promise<string> {
    const { content, context } = this.#turn().progress
    const { name } = runtimeTurnPreContext
    const asked = await ask(this.#turn(), runtimeTurnPreContext, { content })
    const entries = readContext(this.#turn(), name, asked.contributions)
    const all = [...context, ...entries]
    return all.map((entry) => renderContext(entry).text).join('\n\n')
  }

  beginStep(): MaybePromise<CoreEnd | undefined> {
    const turn = this.#turn()
    if (this.#isClear()) return beginStep(turn)
    return this.#goOn().then((left) => left ?? beginStep(turn))
  }

  callModel(): Promise<ModelReply | CoreEnd> {
    const turn = this.#turn()
    if (this.#isClear()) return callModel(turn)
    return this.#goOn().then((left) => left ?? callModel(turn))
  }

  callTools(reply: ModelReply): Promise<CoreEnd | undefined> {
    const turn = this.#turn()
    const { progress } = turn
    if (reply !== progress.reply) {
      const message = 'Only the calls of the newest reply are made, and once.'
      throw new AgentError('invalid-call', message)
    }
    progress.reply = undefined
    return callTools(turn, reply)
  }

  askStop(reply: ModelReply): MaybePromise<CoreEnd | undefined> {
    return askStop(this.#turn(), reply)
  }

  /** Nothing is left behind that a next step would come after. */
  #isClear(): boolean {
    return !this.#hasLeft && this.#left === undefined && !hasUnmade(this.#held)
  }

  /** Calls that a core goes on without are not made: each still has its end. */
  async #goOn(): Promise<CoreEnd | undefined> {
    const turn = this.#held
    this.#left ??= await this.finishStep()
    if (hasUnmade(turn)) this.#left ??= await leaveReply(turn)
    return this.#left
  }
}

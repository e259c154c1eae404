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
import { callModel } from './model-call.ts'
import { resumeCalls } from './resume-calls.ts'
import { callTools, cancelCalls } from './tool-batch.ts'
import type { Turn } from './turn.ts'

/** A turn as its core sees it: nothing but what the port promises. */
export class TurnForCore implements CoreTurn {
  readonly #held: Turn
  #isResumed = false
  #isOver = false

  constructor(turn: Turn) {
    this.#held = turn
  }

  /** The core has ended: what it keeps of the turn is of no more use. */
  end(): void {
    this.#isOver = true
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
    return compilePrompt(this.#turn())
  }

  finishStep(): MaybePromise<CoreEnd | undefined> {
    const { open } = this.#turn()
    if (open?.step === undefined || this.#isResumed) return undefined
    this.#isResumed = true
    return resumeCalls(this.#turn(), open)
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
    const settled = this.#settleCalls()
    return settled === undefined
      ? beginStep(turn)
      : settled.then(() => beginStep(turn))
  }

  callModel(): Promise<ModelReply | CoreEnd> {
    const turn = this.#turn()
    const settled = this.#settleCalls()
    return settled === undefined
      ? callModel(turn)
      : settled.then(() => callModel(turn))
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
    const turn = this.#turn()
    const settled = this.#settleCalls()
    return settled === undefined
      ? askStop(turn, reply)
      : settled.then(() => askStop(turn, reply))
  }

  /** Calls that a core goes on without are not made: each still has its end. */
  #settleCalls(): Promise<void> | undefined {
    const { progress } = this.#held
    const { reply } = progress
    if (reply === undefined || reply.calls.length === 0) return undefined
    progress.reply = undefined
    return leaveCalls(this.#held, reply)
  }
}

async function leaveCalls(
  turn: Turn,
  { response, calls }: ModelReply,
): Promise<void> {
  await turn.progress.stream?.release(response.content)
  await cancelCalls(turn, calls, 'its core has not made it')
}

import { runtimeTurnPreContext } from 'hookline/lifecycle'
import type { CoreTurn } from '../ports/core.ts'
import { renderContext } from '../prompt/render-context.ts'
import { ask } from './ask.ts'
import { askStop } from './ask-stop.ts'
import { beginStep } from './begin-step.ts'
import { compilePrompt } from './compile-prompt.ts'
import { readContext } from './edits.ts'
import { callModel } from './model-call.ts'
import { callTools } from './tool-batch.ts'
import type { Turn } from './turn.ts'

/** A turn as its core sees it. */
export function createCoreTurn(turn: Turn): CoreTurn {
  const { agent, conversation, progress, signal } = turn
  return {
    agent: agent.config,
    signal,
    get content() {
      return progress.content
    },
    get scope() {
      return progress.scope
    },
    get tools() {
      return progress.tools.declarations
    },
    get messages() {
      return conversation.shown
    },
    compilePrompt: async () => void (await compilePrompt(turn)),
    externalContext: () => externalContext(turn),
    beginStep: () => beginStep(turn),
    callModel: () => callModel(turn),
    callTools: (reply) => callTools(turn, reply),
    askStop: (reply) => askStop(turn, reply),
  }
}

/** What hooks want a core to know that is another program. */
async function externalContext(turn: Turn): Promise<string> {
  const { content, context } = turn.progress
  const { name } = runtimeTurnPreContext
  const asked = await ask(turn, runtimeTurnPreContext, { content })
  const entries = readContext(turn, name, asked.contributions)
  const all = [...context, ...entries]
  return all.map((entry) => renderContext(entry).text).join('\n\n')
}

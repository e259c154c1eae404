import type { PreparedAgent, Work } from './framework.ts'
import {
  type Call,
  instructions,
  playScript,
  question,
  reply,
  type WeatherArgs,
  weather,
} from './scenario.ts'

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly text: string
  readonly calls?: readonly Call[]
  readonly callId?: string
}

type Hook = (subject: Message | Call) => Promise<void>

interface Hooks {
  readonly beforeModel: Hook
  readonly afterModel: Hook
  readonly beforeTool: Hook
  readonly afterTool: Hook
}

/** The least a turn can be: a loop, a list of messages, awaited hooks. */
export function prepareBareLoop(work: Work): PreparedAgent {
  const { scenario, tally } = work
  const nextCalls = playScript(scenario)
  const count = (): Hook => async () => {
    tally.hookRuns++
  }
  const hooks = Array.from(
    { length: work.hooks },
    (): Hooks => ({
      beforeModel: count(),
      afterModel: count(),
      beforeTool: count(),
      afterTool: count(),
    }),
  )

  const askModel = async (): Promise<Message> => {
    const calls = nextCalls().map(({ id, args }) => ({ id, args: { ...args } }))
    return { role: 'assistant', text: calls.length > 0 ? '' : reply, calls }
  }
  const runTool = async ({ city, days }: WeatherArgs): Promise<string> => {
    if (typeof city !== 'string' || typeof days !== 'number') {
      throw new TypeError('The arguments are not as the tool wants them.')
    }
    tally.toolRuns++
    return weather
  }
  const callTool = async (call: Call): Promise<Message> => {
    for (const { beforeTool } of hooks) await beforeTool(call)
    const text = await runTool(call.args)
    const result: Message = { role: 'tool', text, callId: call.id }
    for (const { afterTool } of hooks) await afterTool(result)
    return result
  }

  return {
    callsPerHook: 2 * (scenario.modelCalls + scenario.toolCalls),
    async takeTurn() {
      const messages: Message[] = [
        { role: 'system', text: instructions },
        { role: 'user', text: question },
      ]
      while (true) {
        const last = messages.at(-1)
        if (last) for (const { beforeModel } of hooks) await beforeModel(last)
        const said = await askModel()
        for (const { afterModel } of hooks) await afterModel(said)
        messages.push(said)
        const { calls = [] } = said
        if (calls.length === 0) return said.text
        messages.push(...(await Promise.all(calls.map(callTool))))
      }
    },
  }
}

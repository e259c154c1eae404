/** What a model asks for: the weather in a city. */
export interface Call {
  readonly id: string
  readonly args: WeatherArgs
}

export interface WeatherArgs {
  readonly city: string
  readonly days: number
}

export interface Scenario {
  readonly key: 't1' | 't10' | 'p8'
  readonly title: string
  /** The calls of each model call but the last, which says the reply. */
  readonly steps: readonly (readonly Call[])[]
  readonly modelCalls: number
  readonly toolCalls: number
}

export const instructions = 'You answer questions about the weather.'
export const question = 'How is the weather going to be?'
export const reply = 'It is going to be sunny everywhere.'
export const weather = 'Sunny, 21 degrees.'
export const toolName = 'weather'
export const toolDescription = 'Says how the weather is going to be in a city.'

const noCalls: readonly Call[] = []

export const scenarios: readonly Scenario[] = [
  scenario('t1', 'One tool call (2 model calls)', [1]),
  scenario('t10', 'Ten tool calls in ten steps (11 model calls)', [
    ...Array.from({ length: 10 }, () => 1),
  ]),
  scenario('p8', 'Eight parallel tool calls (2 model calls)', [8]),
]

/**
 * The scripted model: tells the calls of the next step, none when the reply is
 * due, and begins again with the next turn.
 */
export function playScript({ steps, modelCalls }: Scenario) {
  let asked = 0
  return (): readonly Call[] => steps[asked++ % modelCalls] ?? noCalls
}

function scenario(
  key: Scenario['key'],
  title: string,
  sizes: readonly number[],
): Scenario {
  let toolCalls = 0
  const nextCall = (): Call => {
    const days = ++toolCalls
    return { id: `call-${days}`, args: { city: 'Lisbon', days } }
  }
  const steps = sizes.map((length) => Array.from({ length }, nextCall))
  return { key, title, steps, modelCalls: steps.length + 1, toolCalls }
}

import {
  defineCell,
  defineHook,
  type Hook,
  proceed,
  type State,
} from 'hookline'
import { turnPreToolMaterialization } from 'hookline/lifecycle'

export interface Window {
  /** How many tokens the model can take; 0 where nobody says. */
  readonly tokensNow: (state: State) => Promise<number>
  /** What finds that out, where the options do not say it. */
  readonly hooks: readonly Hook[]
}

/** The window of the model of a turn: as the options say, or the model. */
export function createWindow(
  name: string,
  contextTokens: number | undefined,
): Window {
  if (contextTokens !== undefined) {
    return { tokensNow: async () => contextTokens, hooks: [] }
  }
  const cell = defineCell<{ readonly tokens: number }>(`${name}:window`, {
    initial: () => ({ tokens: 0 }),
    scope: 'turn',
  })
  const measure = defineHook({
    name: `${name}:window`,
    on: turnPreToolMaterialization,
    handler: { version: '1' },
    async run({ abilities }, { state }) {
      const tokens = abilities.contextTokens ?? 0
      await state.update(cell, () => ({ tokens }))
      return proceed
    },
  })
  const tokensNow = async (state: State) => (await state.get(cell)).tokens
  return { tokensNow, hooks: [measure] }
}

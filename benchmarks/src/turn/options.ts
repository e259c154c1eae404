import { parseArgs } from 'node:util'
import { type Framework, frameworks } from './framework.ts'

export interface TurnOptions {
  readonly frameworks: readonly Framework[]
  /** How many rounds count. */
  readonly rounds: number
}

/** Reads `--only=hookline,pi` and `--rounds=9`. */
export function readOptions(args: readonly string[]): TurnOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '15' },
    },
  })
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error(`--rounds is "${values.rounds}"; give a number above 0.`)
  }
  return { frameworks: pick(values.only?.split(',')), rounds }
}

function pick(only: readonly string[] | undefined): readonly Framework[] {
  const known = frameworks.map(({ key }) => key)
  const unknown = only?.find((key) => !known.includes(key))
  if (unknown !== undefined) {
    throw new Error(
      `There is no framework "${unknown}"; there are: ${known.join(', ')}.`,
    )
  }
  return frameworks.filter(({ key }) => only?.includes(key) ?? true)
}

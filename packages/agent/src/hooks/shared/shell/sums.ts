import type { ShellState } from './shell-state.ts'
import type { Word } from './word.ts'

/**
 * Shells run what stands in the index of a list wherever they compute: in sums,
 * in comparisons, and in the arguments of builtins that set variables.
 */
export const runsInSum = ({ text }: Pick<Word, 'text'>): boolean =>
  /\w\[[^\]]{0,200}?(?:\$\(|`)/.test(text)

const setsNames = /(?:^|[^=!<>])=(?!=)|<<=|>>=|\+\+|--/

/** What a sum changes; and whether it runs what is in a variable. */
export function followSum(sum: string, { values }: ShellState): boolean {
  const names = new Set(sum.match(/[A-Za-z_]\w*/g) ?? [])
  const texts = [sum, ...[...names].map((name) => values.get(name) ?? '')]
  if (setsNames.test(sum)) for (const name of names) values.delete(name)
  return texts.some((text) => runsInSum({ text }))
}

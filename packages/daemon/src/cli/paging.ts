import type { Option } from './command.ts'
import type { GivenOptions } from './given-options.ts'
import type { Output } from './output/output.ts'

/** For commands that list what may be long. */
export const pageOptions: readonly Option[] = [
  { flags: '--limit <count>', about: 'How many at most.' },
  { flags: '--after <cursor>', about: 'What comes after an earlier page.' },
]

/** What they ask the daemon for. */
export function pageInput(options: GivenOptions): {
  readonly limit?: number
  readonly after?: string
} {
  const limit = options.number('limit')
  const after = options.text('after')
  return {
    ...(limit !== undefined && { limit }),
    ...(after !== undefined && { after }),
  }
}

/** Says that there is more, and how to get it. */
export function notePage(output: Output, next: string | undefined): void {
  if (next !== undefined) output.note(`There are more: --after ${next}`)
}

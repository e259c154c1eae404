import type { Option } from './command.ts'
import type { GivenOptions } from './given-options.ts'
import type { Output } from './output/output.ts'
import type { Column } from './output/table.ts'

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

/** Shows what they got, and says how to get more where there is more. */
export function showPage<Row>(
  output: Output,
  page: { readonly items: readonly Row[]; readonly next?: string | undefined },
  columns: readonly Column<Row>[],
): void {
  if (output.isJson) {
    output.json(page)
    return
  }
  output.table(page.items, columns)
  const { next } = page
  if (next !== undefined) output.note(`There are more: --after ${next}`)
}

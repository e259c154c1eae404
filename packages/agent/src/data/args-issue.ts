import { truncate } from 'hookline'

/** One thing that is wrong with arguments, and where in them. */
export interface ArgsIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

const maxIssues = 10
const maxLineChars = 200

/** One line for each issue, in words for the model; bounded. */
export function describeIssues(issues: readonly ArgsIssue[]): string {
  if (issues.length === 0) return 'arguments: are not valid'
  const lines = issues.slice(0, maxIssues).map(lineOf)
  const left = issues.length - lines.length
  return left > 0 ? `${lines.join('\n')}\nand ${left} more` : lines.join('\n')
}

function lineOf({ path, message }: ArgsIssue): string {
  const place = path.length === 0 ? 'arguments' : path.map(String).join('.')
  // Keys come from the model and messages can repeat its values, so that
  // either can hold line breaks; cut first, as it can be of any length.
  const { text, cut } = truncate(`${place}: ${message}`, maxLineChars)
  const line = text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ')
  return cut ? `${line}…` : line
}

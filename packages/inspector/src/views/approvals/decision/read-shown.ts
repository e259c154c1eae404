/** What people are shown of a call, part by part, each as it is written. */
interface ShownParts {
  readonly safety: string
  readonly owner: string
  readonly args: string
  /** Absent where no hook has changed them. */
  readonly written: string | undefined
}

const names = [
  'tool',
  'owner',
  'safety',
  'agent',
  'on behalf of',
  'asked',
  'may',
  'arguments',
  'written by the model',
]
// What is inside of a part is indented or a bracket, so that none of it can
// pass for the beginning of another.
const beginning = new RegExp(`^(${names.join('|')}): `, 'gm')

export function readShown(shown: string): ShownParts {
  const found = new Map<string, string>()
  const starts = [...shown.matchAll(beginning)]
  for (const [at, start] of starts.entries()) {
    const from = start.index + start[0].length
    const to = starts[at + 1]?.index ?? shown.length
    const name = start[1] ?? ''
    if (!found.has(name)) found.set(name, shown.slice(from, to).trimEnd())
  }
  const args = found.get('arguments') ?? ''
  const written = found.get('written by the model')
  return {
    safety: wordOf(found.get('safety')),
    owner: wordOf(found.get('owner')),
    args: shortFirst(args),
    written: written === args ? undefined : written,
  }
}

/** The arguments of a call on one line, as much as a row has room for. */
export function shortArgs(shown: string): string {
  return readShown(shown)
    .args.slice(0, 300)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^\{ | \}$/g, '')
}

/** Longer ones would push the others out of sight. */
const longEntry = 160

/** Where a call goes is seen before all that it brings along. */
function shortFirst(args: string): string {
  const lines = args.split('\n')
  const isWhole = lines[0] === '{' && lines.at(-1) === '}'
  if (!isWhole || /^ *\[cut: /m.test(args)) return args
  const entries: string[] = []
  for (const line of lines.slice(1, -1)) {
    const last = entries.at(-1)
    if (last === undefined || line.startsWith('  "')) entries.push(line)
    else entries[entries.length - 1] = `${last}\n${line}`
  }
  const [short, long] = [true, false].map((isShort) =>
    entries
      .map((entry) => entry.replace(/,$/, ''))
      .filter((entry) => entry.length <= longEntry === isShort),
  )
  return ['{', [...(short ?? []), ...(long ?? [])].join(',\n'), '}'].join('\n')
}

function wordOf(text = ''): string {
  return text.replaceAll('"', '')
}

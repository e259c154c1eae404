import type { KnownOption, WordsPlace } from './describe-words.ts'

/** Rules of fish that know the words, and say what they mean. */
export function fishScript(places: readonly WordsPlace[]): string {
  return `# Completion of hookline for fish.
function __hookline_at
  set -l words (commandline -opc)
  set -e words[1]
  set -l place
  set -l known ${places.map(({ path }) => quoted(path.join(' '))).join(' ')}
  for word in $words
    set -l next (string join -- ' ' $place $word)
    contains -- "$next" $known; and set place $place $word
  end
  test "$place" = "$argv"
end
complete -c hookline -f
${places.flatMap(rulesOf).join('\n')}
`
}

function rulesOf({ path, commands, options, choices }: WordsPlace): string[] {
  const condition = `-n ${quoted(`__hookline_at ${path.join(' ')}`.trim())}`
  const start = `complete -c hookline ${condition}`
  return [
    ...commands.map(
      ({ name, summary }) =>
        `${start} -a ${quoted(name)} -d ${quoted(summary)}`,
    ),
    ...choices.map((choice) => `${start} -a ${quoted(choice)}`),
    ...options.map((option) => `${start} ${flagsOf(option)}`),
  ]
}

function flagsOf({ names, about, value }: KnownOption): string {
  const flags = names.map((name) =>
    name.startsWith('--')
      ? `-l ${quoted(name.slice(2))}`
      : `-s ${quoted(name.slice(1))}`,
  )
  return [...flags, ...argumentOf(value), `-d ${quoted(about)}`].join(' ')
}

function argumentOf(value: KnownOption['value']): string[] {
  if (value === undefined) return []
  if (value === 'file' || value === 'folder') return ['-r', '-F']
  if (value === 'any') return ['-x']
  return ['-x', `-a ${quoted(value.join(' '))}`]
}

/** In its quotes, fish knows two escapes. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

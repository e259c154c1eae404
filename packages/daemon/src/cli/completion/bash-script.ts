import type { KnownOption, WordsPlace } from './describe-words.ts'
import { placeCases, quoted, valueCases } from './shell-cases.ts'

/** A function of bash that knows the words. */
export function bashScript(places: readonly WordsPlace[]): string {
  return `# Completion of hookline for bash.
_hookline() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local place="" word index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$place $word" in
${placeCases(places)}
    esac
  done
  case "$place $previous" in
${valueCases(places, replyFor)}
  esac
  local words=""
  case "$place" in
${words(places)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _hookline hookline
`
}

function replyFor(value: NonNullable<KnownOption['value']>): string {
  if (value === 'file') return 'COMPREPLY=($(compgen -f -- "$current"))'
  if (value === 'folder') return 'COMPREPLY=($(compgen -d -- "$current"))'
  // Nothing is known, and nothing is made up.
  if (value === 'any') return 'COMPREPLY=()'
  return `COMPREPLY=($(compgen -W ${quoted(value.join(' '))} -- "$current"))`
}

function words(places: readonly WordsPlace[]): string {
  return places
    .map(({ path, commands, options, choices }) => {
      const names = commands.map(({ name }) => name)
      const flags = options.flatMap((option) => option.names)
      const all = [...names, ...choices, ...flags].join(' ')
      return `    ${quoted(path.join(' '))}) words=${quoted(all)} ;;`
    })
    .join('\n')
}

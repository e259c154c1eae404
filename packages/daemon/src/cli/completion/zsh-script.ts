import type { KnownOption, WordsPlace } from './describe-words.ts'
import { placeCases, quoted, valueCases } from './shell-cases.ts'

/** A function of zsh that knows the words, and says what they mean. */
export function zshScript(places: readonly WordsPlace[]): string {
  return `#compdef hookline
# Completion of hookline for zsh.
_hookline() {
  local place="" word previous="\${words[CURRENT-1]}"
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
${placeCases(places)}
    esac
  done
  case "$place $previous" in
${valueCases(places, replyFor)}
  esac
  case "$place" in
${descriptions(places)}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe 'option' options
  elif (( \${#commands} )); then
    _describe 'command' commands
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _hookline ]]; then
  _hookline "$@"
else
  compdef _hookline hookline
fi
`
}

function replyFor(
  value: NonNullable<KnownOption['value']>,
  about: string,
): string {
  if (value === 'file') return '_files'
  if (value === 'folder') return '_files -/'
  if (value === 'any') return `_message ${quoted(about)}`
  return `compadd -- ${value.map(quoted).join(' ')}`
}

function descriptions(places: readonly WordsPlace[]): string {
  return places
    .map(({ path, commands, options, choices }) => {
      const named = [
        ...commands.map(({ name, summary }) => pair(name, summary)),
        ...choices.map(quoted),
      ]
      const flags = options.flatMap(({ names, about }) =>
        names.map((name) => pair(name, about)),
      )
      return `    ${quoted(path.join(' '))})
      commands=(${named.join(' ')})
      options=(${flags.join(' ')}) ;;`
    })
    .join('\n')
}

function pair(name: string, about: string): string {
  return quoted(`${name}:${about.replaceAll(':', '\\:')}`)
}

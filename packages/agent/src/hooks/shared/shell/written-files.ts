import { optionValues } from './options.ts'
import type { Input } from './outputs.ts'
import type { Redirect } from './reading.ts'
import type { ShellState } from './shell-state.ts'
import { any, type Word } from './word.ts'

interface Done {
  readonly words: readonly Word[]
  readonly redirects: readonly Redirect[]
  readonly input: Input
  /** What it has printed, as far as that is known. */
  readonly output: string
}

const maxFiles = 100

/** What the script has written into a file; undefined: nothing. */
export function fileText(path: string, state: ShellState): string | undefined {
  return state.files.get(nameOf(path))
}

/** Remembers which files a command has written, and what is in them. */
export function noteWrites(done: Done, { files }: ShellState): void {
  const { words, redirects, input, output } = done
  const write = (path: string, text: string) => {
    const name = nameOf(path)
    // Something is added, or there is one of the same name elsewhere.
    const isSecond = files.has(name) || files.size >= maxFiles
    if (name !== '') files.set(name, isSecond ? any : text)
  }
  for (const { kind, target } of redirects) {
    if (kind === 'write') write(target.text, output)
  }
  const [program, ...args] = words
  const name = nameOf(program?.text ?? '')
  const operands = args.filter(({ text }) => !/^-./.test(text))
  const given = input.type === 'text' ? input.text : any
  if (/^(?:tee|sponge)$/.test(name)) {
    for (const { text } of operands) write(text, given)
  }
  if (name === 'dd') {
    for (const { text } of optionValues(args, ['of='])) write(text, given)
  }
  if (/^(?:cp|mv|ln|install)$/.test(name)) {
    const known = operands.slice(0, -1).map(({ text }) => nameOf(text))
    const from = known.find((one) => files.has(one))
    const to = operands.at(-1)?.text ?? ''
    if (from !== undefined) write(to, files.get(from) ?? any)
    if (known.includes('stdin')) write(to, given)
  }
  for (const path of downloaded(name, args)) write(path, any)
}

/** The files that a program for downloads makes. */
function downloaded(name: string, args: readonly Word[]): readonly string[] {
  if (!/^(?:curl|wget|wget2|aria2c|fetch)$/.test(name)) return []
  const named = args.flatMap(({ text }, index) => {
    const found =
      /^--(?:output|output-document|out)(?:=([\s\S]*))?$/.exec(text) ??
      /^-[a-zA-Z]*[oO](\S*)$/.exec(text)
    return found ? [found[1] || (args[index + 1]?.text ?? '')] : []
  })
  // Else it is called as in the address.
  const addresses = args.flatMap(({ text }) =>
    /^-/.test(text) ? [] : [text.replace(/[?#].*$/, '')],
  )
  return [...named, ...addresses].filter((path) => path !== '')
}

/** Files are told apart by their last name: folders change on the way. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

import type { Inner } from './inner.ts'
import type { Input } from './outputs.ts'
import { any, unknownWords, type Word } from './word.ts'

const shellNames =
  /^(?:r?ba|da|z|k|a|fi|mk|lk|ya|t?c|pdk|po|osh|oil|nu|xon)?sh[\d.]*$|^(?:xonsh|elvish|osh|nu|rc)$/
/** Shells whose language is not read here. */
const foreignNames = /^(?:pwsh(?:-preview)?|powershell|cmd|wscript|cscript)$/

const script = (text: string): Inner => ({ type: 'script', text })
const code = (what: string): Inner => ({ type: 'code', what })

const isStream = (text: string) => /^\/dev\/fd\/|^\/proc\/self\/fd\//.test(text)

/** A name for what comes by a pipe. */
export const isStdin = (text: string): boolean =>
  /^(?:-|\/dev\/stdin|\/(?:dev|proc\/self)\/fd\/0)$/.test(text)

/** What a shell runs: a text, a file, or what it reads. */
export function ofShell(
  name: string,
  words: readonly Word[],
  input: Input,
): readonly Inner[] {
  if (foreignNames.test(name)) return [code(`what ${name} is told`)]
  if (!shellNames.test(name)) return []
  const { isScript, isInput, texts, operands } = readFlags(words)
  if (texts === undefined) return [code('what a shell is given')]
  const [first] = operands
  const inner = texts.map(script)
  if (isScript && first) return [...inner, script(first.text)]
  if (isInput || first === undefined || isStdin(first.text)) {
    return [...inner, ...fromInput(input, (text) => [script(text)])]
  }
  return [...inner, ...fileAt(first.text, 'sh')]
}

/** A file that is run; what another command prints is none. */
export function fileAt(path: string, by: string): readonly Inner[] {
  return isStream(path)
    ? [code('what another command prints')]
    : [{ type: 'file', path, by }]
}

export function fromInput(
  input: Input,
  read: (text: string) => readonly Inner[],
): readonly Inner[] {
  if (input.type !== 'text') return []
  if (input.text !== any) return read(input.text)
  return [code('code that comes through a pipe')]
}

/** Flags of shells; no texts: one of the words can be anything. */
function readFlags([, ...words]: readonly Word[]) {
  const texts: string[] = []
  let isScript = false
  let isInput = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? unknownWords
    const { text } = word
    if (word.isMany && !word.isNames) break
    const next = words[at + 1]?.text
    const [, long, value] = /^--([a-z-]+)(?:=([\s\S]*))?$/.exec(text) ?? []
    if (text === '--' || text === '-') {
      const operands = words.slice(text === '-' ? at : at + 1)
      return { isScript, isInput, texts, operands }
    }
    if (long !== undefined) {
      const isCode = /^(?:init-)?commands?$/.test(long)
      const isFile = /^(?:rcfile|init-file)$/.test(long)
      if (isCode && value !== undefined) texts.push(value)
      else if (isCode && next !== undefined) texts.push(next)
      if (isFile && next !== undefined) texts.push(`. ${quoted(next)}`)
      if ((isCode && value === undefined) || isFile) at++
    } else if (/^[-+]./.test(text)) {
      if (/^-\w*c/.test(text)) isScript = true
      // Of fish: it runs before everything else.
      if (/^-C/.test(text)) texts.push(text.slice(2) || (next ?? ''))
      if (/^-\w*s/.test(text)) isInput = true
      if (/^[-+]\w*[oO]$|^-C$/.test(text)) at++
    } else if (text !== '') {
      return { isScript, isInput, texts, operands: words.slice(at) }
    }
  }
  const isWhole = words.every((word) => !word.isMany || word.isNames)
  return { isScript, isInput, texts: isWhole ? texts : undefined, operands: [] }
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

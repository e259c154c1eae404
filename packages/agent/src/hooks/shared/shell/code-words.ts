import type { Interpreter } from './interpreters.ts'
import { isStdin } from './shells.ts'
import type { Word } from './word.ts'

/** What of the arguments of an interpreter is code. */
export function codeWords(
  words: readonly Word[],
  { code, values = '', files, isFirst = false }: Interpreter,
) {
  const codes: Word[] = []
  const operands: Word[] = []
  let isSure = true
  let hasFile = false
  for (let at = 1; at < words.length; at++) {
    const word = words[at]
    if (word === undefined) break
    const { text } = word
    if (word.isMany && !word.isNames && operands.length === 0) isSure = false
    const isFlag = /^-./.test(text) && operands.length === 0
    if (!isFlag) {
      operands.push(word)
      continue
    }
    const [, fileValue] = files?.exec(text) ?? []
    if (fileValue !== undefined) {
      const path = fileValue || (words[at + 1]?.text ?? '')
      // Code that comes from another command, or from a text.
      if (isStdin(path) || /^(?:\/dev\/|\/proc\/|data:)/.test(path)) {
        isSure = false
      }
      hasFile = true
      if (fileValue === '') at++
      continue
    }
    const long = /^(--[\w-]+)(?:=([\s\S]*))?$/.exec(text)
    const letter = long ? -1 : text.search(code)
    const isLongCode = long !== null && code.test(long[1] ?? '')
    if (isLongCode && long[2] !== undefined) {
      codes.push({ ...word, text: long[2] })
    } else if (isLongCode || letter === 0 || letter === text.length - 1) {
      codes.push(...words.slice(at + 1, at + 2))
      at++
    } else if (letter > 0) {
      // Code right behind the letter, or other letters behind it.
      codes.push({ ...word, text: text.slice(letter + 1) })
      codes.push(...words.slice(at + 1, at + 2))
    } else if (values.includes(text.at(-1) ?? ' ') && !long) at++
  }
  if (isFirst && !hasFile && codes.length === 0) {
    codes.push(...operands.slice(0, 1))
  }
  return { codes, operands, isSure }
}

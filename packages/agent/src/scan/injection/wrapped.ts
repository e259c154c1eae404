import type { Finding } from '../finding.ts'

const maxChars = 4_000

/** What begins a part that is not shown, and what ends it. */
const wrappers: readonly (readonly [RegExp, string])[] = [
  [/<!--/g, '-->'],
  [
    /<(?:div|span|p|font|section|li|td|a|i|b)\b[^<>]{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])|color\s*:\s*(?:white|#fff(?:fff)?)\b|aria-hidden\s*=\s*["']?true|\shidden(?=[\s>]))[^<>]{0,200}>/gi,
    '</',
  ],
  [/\[\/\/\]:\s*#\s*[("']/g, '\n'],
]

const speaksToModel =
  /\b(?:ai|assistant|llm|language model|agent|chatbot|gpt|claude|you must|you should|instructions?|system prompt|ki-|asistente|modèle|助手|模型|指令)\b|助手|模型|指令/iu

/** Parts of a page that are not shown, and that speak to a model. */
export function findWrapped(
  text: string,
  find: (text: string) => readonly Finding[],
): readonly Finding[] {
  return wrappers.flatMap(([begin, close]) => {
    let until = 0
    return Array.from(text.matchAll(begin)).flatMap(({ index, 0: opening }) => {
      if (index < until) return []
      const from = index + opening.length
      const inside = text.slice(from, from + maxChars)
      const length = inside.indexOf(close)
      const part = length === -1 ? inside : inside.slice(0, length)
      until = from + part.length
      if (!speaksToModel.test(part) && find(part).length === 0) return []
      const end = length === -1 ? until : until + close.length
      return [{ kind: 'hidden-markup', start: index, end }]
    })
  })
}

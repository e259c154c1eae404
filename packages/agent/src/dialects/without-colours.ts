// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what it removes
const colours = /\u001b\[[0-9;?]*[A-Za-z]/g

/** A text as people read it on a terminal that shows no colours. */
export function withoutColours(text: string): string {
  return text.replace(colours, '')
}

/** What a line of a resident command is. */
export type ReadLine =
  | { readonly type: 'blank' }
  /** An answer; what it says is read by whoever asked. */
  | { readonly type: 'answer'; readonly run: string; readonly text: string }
  /** An object that does not say which run it answers. */
  | { readonly type: 'nameless' }
  /** Something else, such as a line of a log. */
  | { readonly type: 'noise' }

export function readLine(line: Uint8Array): ReadLine {
  let text: string
  try {
    text = strict.decode(line)
  } catch {
    return { type: 'noise' }
  }
  if (text.trim() === '') return { type: 'blank' }
  const value = parse(text)
  const isObject = typeof value === 'object' && value !== null
  if (!isObject || Array.isArray(value)) return { type: 'noise' }
  const run = Object.hasOwn(value, 'run') && 'run' in value ? value.run : ''
  if (typeof run !== 'string' || run === '') return { type: 'nameless' }
  return { type: 'answer', run, text }
}

const strict = new TextDecoder('utf-8', { fatal: true })

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

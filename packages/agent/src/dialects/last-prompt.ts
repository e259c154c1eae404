import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const maxBytes = 262_144

/** What the user has said last, as far as the end of a transcript tells. */
export function lastPrompt(transcriptPath: string): string {
  const lines = endOf(transcriptPath).split('\n')
  for (const line of lines.reverse()) {
    const prompt = promptIn(line)
    if (prompt !== undefined) return prompt
  }
  return ''
}

function endOf(path: string): string {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return ''
  }
  try {
    const { size } = fstatSync(file)
    const length = Math.min(size, maxBytes)
    const bytes = Buffer.alloc(length)
    readSync(file, bytes, 0, length, size - length)
    return bytes.toString('utf8')
  } finally {
    closeSync(file)
  }
}

function promptIn(line: string): string | undefined {
  if (!line.startsWith('{"type":"user"')) return undefined
  try {
    const { message } = Object(JSON.parse(line))
    const content: unknown = Object(message).content
    return typeof content === 'string' ? content : undefined
  } catch {
    return undefined
  }
}

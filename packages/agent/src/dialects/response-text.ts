import type { JsonValue } from 'hookline/lifecycle'
import { isObject } from './printed.ts'

/** What a model has read of a result, as far as its structure tells. */
export function responseText(response: JsonValue): string {
  if (typeof response === 'string') return response
  if (Array.isArray(response)) {
    return response.map(responseText).filter(Boolean).join('\n')
  }
  if (!isObject(response)) return JSON.stringify(response)
  const { stdout, stderr, text, content, file } = response
  if (typeof stdout === 'string') {
    return typeof stderr === 'string' && stderr !== ''
      ? `${stdout}\n${stderr}`
      : stdout
  }
  if (typeof text === 'string') return text
  if (typeof content === 'string') return content
  return file === undefined ? JSON.stringify(response) : responseText(file)
}

import { type ConfigNode, startOfFile } from '../node.ts'
import type { ProblemCode } from '../problem.ts'
import type { Report } from '../report.ts'
import { maxFileBytes, maxYamlBytes } from './limits.ts'
import { readJson } from './read-json.ts'
import { readToml } from './read-toml.ts'
import { readYaml } from './read-yaml.ts'

export type TextFormat = 'json' | 'yaml' | 'toml'

const readers = { json: readJson, yaml: readYaml, toml: readToml }

/** What the bytes of a file say; nothing, if they cannot be read at all. */
export async function readText(
  bytes: Uint8Array,
  format: TextFormat,
  report: Report,
): Promise<ConfigNode | undefined> {
  if (format === 'yaml' && bytes.length > maxYamlBytes) {
    report.add({ ...tooMuchYaml, at: startOfFile, path: [] })
    return undefined
  }
  const text = decode(bytes, report)
  if (text === undefined) return undefined
  const node = await readers[format](text, report)
  // Nothing but comments: in JSON, an empty object says that nothing is meant.
  const isEmpty =
    node?.type === 'map' && node.entries.length === 0 && format !== 'json'
  if (!report.hasErrors && (node === undefined || isEmpty)) {
    report.add({ ...empty, at: startOfFile, path: [] })
    return undefined
  }
  return node
}

const tooMuchYaml = {
  code: 'too-large',
  message: `It is YAML of more than ${maxYamlBytes} bytes, which takes too long to read; split it, or write it as JSON.`,
} as const

/** It may be about to be written: nothing is not "no hooks". */
const empty = {
  code: 'empty',
  message: 'It is empty; write an empty list of hooks.',
} as const

function decode(bytes: Uint8Array, report: Report): string | undefined {
  const refuse = (code: ProblemCode, message: string) => {
    report.add({ code, at: startOfFile, path: [], message })
    return undefined
  }
  if (bytes.length > maxFileBytes) return refuse('too-large', tooLarge)
  let text: string
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    text = decoder.decode(bytes)
  } catch {
    return refuse('not-utf8', 'It is not UTF-8; save it as that.')
  }
  if (text.startsWith('\uFEFF')) {
    const message = 'It begins with a byte order mark; save it without one.'
    return refuse('byte-order-mark', message)
  }
  if (text.trim() === '') {
    return refuse(empty.code, empty.message)
  }
  return text
}

export const tooLarge = `It is larger than ${maxFileBytes} bytes; split it.`

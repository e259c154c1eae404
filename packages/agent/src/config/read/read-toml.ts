import { errorText } from '../../data/error-text.ts'
import { type ConfigNode, startOfFile } from '../node.ts'
import { quote } from '../problem.ts'
import type { Report } from '../report.ts'
import { knownPlaces, nodeOfData } from './data-node.ts'
import { maxDepth } from './limits.ts'
import { findTomlPlaces } from './toml-places.ts'

/** TOML 1.0; dates are not data here. */
export async function readToml(
  text: string,
  report: Report,
): Promise<ConfigNode | undefined> {
  const { parse, TomlError } = await import('smol-toml')
  try {
    const value = parse(text, { maxDepth: maxDepth * 2 })
    const places = knownPlaces(findTomlPlaces(text), startOfFile)
    return nodeOfData(value, places, report)
  } catch (error) {
    const at = error instanceof TomlError ? error : startOfFile
    const { line, column } = at
    report.add({ ...problemOf(error), at: { line, column }, path: [] })
    return undefined
  }
}

function problemOf(error: unknown) {
  const [said = ''] = errorText(error).split('\n')
  if (/excessively nested|call stack/.test(said)) {
    const message = `It is deeper than ${maxDepth} levels; make it flatter.`
    return { code: 'too-deep', message } as const
  }
  const what = said.replace(/^Invalid TOML document: /, '').replace(/\.$/, '')
  if (what.startsWith('trying to redefine')) {
    const message = 'A key or table is there twice; keep one.'
    return { code: 'duplicate-key', message } as const
  }
  const message = `This is not TOML: ${quote(what)}.`
  return { code: 'syntax', message } as const
}

import type { Document, YAMLMap, Node as YamlNode } from 'yaml'
import type { ConfigNode, MapEntry, Place } from '../node.ts'
import { type Path, quote } from '../problem.ts'
import type { Report } from '../report.ts'
import { maxDepth } from './limits.ts'
import { createLineIndex } from './line-index.ts'
import { createKeyCheck } from './map-keys.ts'
import { readScalar } from './read-scalar.ts'

const maxSyntaxProblems = 5

/** YAML 1.2 without aliases and tags: what JSON can say. */
export async function readYaml(
  text: string,
  report: Report,
): Promise<ConfigNode | undefined> {
  const placeOf = createLineIndex(text)
  const tooDeepAt = findDepth(text)
  if (tooDeepAt !== undefined) {
    report.add({ ...tooDeep, at: placeOf(tooDeepAt), path: [] })
    return undefined
  }
  const yaml = await import('yaml')
  const document: Document.Parsed | Document = yaml.parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    stringKeys: true,
    // Looks at every pair of keys: 25 seconds for a map of 800 kB.
    uniqueKeys: false,
    prettyErrors: false,
  })
  const problems = [...document.errors, ...document.warnings]
  for (const { message, pos } of problems.slice(0, maxSyntaxProblems)) {
    const at = placeOf(Math.min(pos[0], text.length))
    report.add({ ...syntaxProblem(message), at, path: [] })
  }
  if (problems.length > 0 || document.contents === null) return undefined
  return new YamlTree(yaml, { report, placeOf }).read(document.contents, [])
}

const tooDeep = {
  code: 'too-deep',
  message: `It is deeper than ${maxDepth} levels; make it flatter.`,
} as const

const maxOpen = 1_000

/** Where far too many brackets are open; the parser would take seconds to say so. */
function findDepth(text: string): number | undefined {
  let open = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '[' || character === '{') open++
    else if (character === ']' || character === '}') open--
    if (open > maxOpen) return index
  }
  return undefined
}

/** The parser runs out of stack before anything of ours sees how deep it is. */
function syntaxProblem(said: string) {
  if (/call stack|Stack overflow/.test(said)) return tooDeep
  const [what = ''] = said.split('\n')
  const message = `This is not YAML: ${quote(what.replace(/[:.]$/, ''))}.`
  return { code: 'syntax', message } as const
}

interface TreeParts {
  readonly report: Report
  readonly placeOf: (offset: number) => Place
}

class YamlTree {
  readonly #yaml: typeof import('yaml')
  readonly #parts: TreeParts

  constructor(yaml: typeof import('yaml'), parts: TreeParts) {
    this.#yaml = yaml
    this.#parts = parts
  }

  /** Nothing, where something cannot be taken at all. */
  read(node: YamlNode, path: Path): ConfigNode | undefined {
    const { report } = this.#parts
    const at = this.#placeOf(node)
    const refuse = (code: 'alias' | 'too-deep', message: string) => {
      report.add({ code, at, path, message })
      return undefined
    }
    if (this.#yaml.isAlias(node)) {
      return refuse('alias', 'Aliases are not read; say what it stands for.')
    }
    if (path.length > maxDepth) {
      return refuse('too-deep', tooDeep.message)
    }
    if (this.#yaml.isScalar(node)) {
      return readScalar(node.value, at, { report, path })
    }
    if (this.#yaml.isMap(node)) return this.#readMap(node, at, path)
    if (!this.#yaml.isSeq(node)) return undefined
    const items = node.items.flatMap((item, index) => {
      // Without a schema of its own, an item is a node.
      return this.read(item as YamlNode, [...path, index]) ?? []
    })
    return { type: 'list', items, at }
  }

  #readMap(map: YAMLMap, at: Place, path: Path): ConfigNode {
    const isNew = createKeyCheck(this.#parts.report)
    const entries = map.items.flatMap((pair): MapEntry[] => {
      // The parser lets only texts be keys.
      const keyNode = pair.key as YamlNode
      const key = this.#yaml.isScalar(keyNode) ? String(keyNode.value) : ''
      const keyAt = this.#placeOf(keyNode)
      const below = [...path, key]
      if (!isNew(key, keyAt, below)) return []
      const node =
        pair.value === null
          ? ({ type: 'scalar', value: null, at: keyAt } as const)
          : this.read(pair.value as YamlNode, below)
      return node === undefined ? [] : [{ key, keyAt, node }]
    })
    return { type: 'map', entries, at }
  }

  #placeOf(node: YamlNode): Place {
    return this.#parts.placeOf(node.range?.[0] ?? 0)
  }
}

import { ownValue } from '../../data/copy-json.ts'
import { errorText } from '../../data/error-text.ts'
import type { ConfigNode, MapEntry, Place } from '../node.ts'
import { type Path, pathText } from '../problem.ts'
import type { Report } from '../report.ts'
import { maxDepth } from './limits.ts'
import { createKeyCheck } from './map-keys.ts'
import { readScalar } from './read-scalar.ts'

/** Where the parts of a value are written. */
interface Places {
  key(path: Path): Place
  value(path: Path): Place
}

const maxParts = 1_000_000

/** A value of the program's own as nodes. Runs no accessor of it. */
export function nodeOfData(
  value: unknown,
  places: Places,
  report: Report,
): ConfigNode | undefined {
  let parts = 0
  const holders = new Set<object>()
  try {
    return read(value, [])
  } catch (error) {
    const message = `A value cannot be read: ${errorText(error)}.`
    report.add({ code: 'not-data', at: places.value([]), path: [], message })
    return undefined
  }

  function read(part: unknown, path: Path): ConfigNode {
    const at = places.value(path)
    if (++parts > maxParts) throw new Error('it has too many parts')
    if (typeof part !== 'object' || part === null || isForeign(part)) {
      return readScalar(part, at, { report, path })
    }
    if (path.length > maxDepth) {
      const message = `It is deeper than ${maxDepth} levels; make it flatter.`
      report.add({ code: 'too-deep', at, path, message })
      return { type: 'scalar', value: null, at }
    }
    // It would never end.
    if (holders.has(part)) throw new Error('it holds itself')
    holders.add(part)
    const node = readHolder(part, path, at)
    holders.delete(part)
    return node
  }

  function readHolder(part: object, path: Path, at: Place): ConfigNode {
    if (Array.isArray(part)) {
      const items = Array.from({ length: part.length }, (_, index) =>
        read(ownValue(part, `${index}`), [...path, index]),
      )
      return { type: 'list', items, at }
    }
    return { type: 'map', entries: readEntries(part, path), at }
  }

  function readEntries(holder: object, path: Path): MapEntry[] {
    const isNew = createKeyCheck(report)
    return Object.keys(holder).flatMap((key): MapEntry[] => {
      const below = [...path, key]
      const keyAt = places.key(below)
      if (!isNew(key, keyAt, below)) return []
      const { get, value: part } = descriptorOf(holder, key)
      if (get !== undefined) throw new Error(`${pathText(below)} is a getter`)
      // As if it were not there, as everywhere else in code.
      if (part === undefined) return []
      return [{ key, keyAt, node: read(part, below) }]
    })
  }
}

function descriptorOf(holder: object, key: string) {
  const found: { readonly get?: () => unknown; readonly value?: unknown } =
    Reflect.getOwnPropertyDescriptor(holder, key) ?? {}
  return found
}

function isForeign(value: object): boolean {
  if (Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== Object.prototype && prototype !== null
}

/** For values that are written nowhere. */
export function onePlace(at: Place): Places {
  return { key: () => at, value: () => at }
}

/** For places that are known by path. */
export function knownPlaces(
  known: ReadonlyMap<string, { readonly key: Place; readonly value: Place }>,
  at: Place,
): Places {
  const find = (path: Path) => {
    for (let length = path.length; length > 0; length--) {
      const found = known.get(pathText(path.slice(0, length)))
      if (found) return found
    }
    return { key: at, value: at }
  }
  return { key: (path) => find(path).key, value: (path) => find(path).value }
}

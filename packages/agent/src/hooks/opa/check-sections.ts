/** The sections that modules of OPA have, by their numbers. */
const section = { type: 1, table: 4, memory: 5 }
const knownSections: ReadonlySet<number> = new Set([
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
])

const functionType = 0x60
/** i32, i64, f32 and f64. */
const numberTypes: ReadonlySet<number> = new Set([0x7f, 0x7e, 0x7d, 0x7c])
const functions = 0x70
const hasMaximum = 1
const maxTableSize = 100_000

/**
 * Throws where a module could take memory beside what it is given: such memory
 * has no bound of ours, and where it runs out the whole process ends. That the
 * module is sound otherwise, the compiler has seen.
 */
export function checkSections(bytes: Uint8Array): void {
  let at = 8
  while (at < bytes.length) {
    const id = bytes[at] ?? 0
    const [size, start] = readNumber(bytes, at + 1)
    if (!knownSections.has(id)) throw new Error('It has parts unknown to OPA.')
    if (id === section.type) checkTypes(bytes, start)
    if (id === section.table) checkTables(bytes, start)
    if (id === section.memory && readNumber(bytes, start)[0] > 0) {
      throw new Error('It brings memory of its own.')
    }
    at = start + size
  }
}

/** Functions of numbers only: other types live in memory without a bound. */
function checkTypes(bytes: Uint8Array, start: number): void {
  let [count, at] = readNumber(bytes, start)
  for (; count > 0; count--) {
    if (bytes[at++] !== functionType) throw foreignType()
    // What it takes, and what it gives.
    for (const _ of ['parameters', 'results']) {
      const [length, first] = readNumber(bytes, at)
      at = first + length
      const types = bytes.subarray(first, at)
      if (!types.every((type) => numberTypes.has(type))) throw foreignType()
    }
  }
}

function foreignType(): Error {
  return new Error('It has types that no policy of OPA has.')
}

function checkTables(bytes: Uint8Array, start: number): void {
  const [count, at] = readNumber(bytes, start)
  if (count === 0) return
  const isBounded = bytes[at] === functions && bytes[at + 1] === hasMaximum
  const [, next] = readNumber(bytes, at + 2)
  const [maximum] = readNumber(bytes, next)
  if (count === 1 && isBounded && maximum <= maxTableSize) return
  throw new Error('It wants tables that are too large.')
}

/** A number in groups of seven bits, the least first, and where it ends. */
function readNumber(bytes: Uint8Array, start: number): [number, number] {
  let value = 0
  let at = start
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++] ?? 0
    value += (byte & 127) * factor
    if (byte < 128) return [value, at]
  }
}

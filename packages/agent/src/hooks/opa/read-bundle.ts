import { gunzipSync } from 'node:zlib'

/** What a policy is made of. */
export interface PolicyParts {
  readonly wasm: Uint8Array
  /** JSON. */
  readonly data?: Uint8Array
}

const maxUnpackedBytes = 128 * 1_048_576

/** Reads a module, or the bundle that one is in; throws what is wrong. */
export function readParts(bytes: Uint8Array): PolicyParts {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!isPacked) return { wasm: bytes }
  const files = readArchive(unpacked(bytes))
  const wasm = files.get('policy.wasm')
  if (wasm === undefined) {
    throw new Error('It has no policy.wasm; make it with: opa build -t wasm.')
  }
  const data = files.get('data.json')
  return { wasm, ...(data && { data }) }
}

function unpacked(bytes: Uint8Array): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes })
  } catch (cause) {
    throw new Error('It cannot be unpacked.', { cause })
  }
}

const blockBytes = 512

/** The plain files of an archive, by their names from its root. */
function readArchive(archive: Buffer): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  let at = 0
  while (at + blockBytes <= archive.length) {
    const header = archive.subarray(at, at + blockBytes)
    // The end is a block of zeros.
    if (header[0] === 0) break
    const size = sizeIn(header)
    const start = at + blockBytes
    if (start + size > archive.length) throw new Error('It is cut off.')
    const name = nameIn(header)
    if (files.has(name)) throw new Error('It has a file twice.')
    const isFile = header[156] === 0 || header[156] === fileKind
    if (isFile) files.set(name, archive.subarray(start, start + size))
    at = start + Math.ceil(size / blockBytes) * blockBytes
  }
  return files
}

const fileKind = '0'.charCodeAt(0)

function sizeIn(header: Buffer): number {
  const written = textIn(header, 124, 12).trim()
  if (/^[0-7]{1,11}$/.test(written)) return Number.parseInt(written, 8)
  throw new Error('It is no archive that can be read.')
}

function nameIn(header: Buffer): string {
  const isUstar = textIn(header, 257, 5) === 'ustar'
  const prefix = isUstar ? textIn(header, 345, 155) : ''
  const name = textIn(header, 0, 100)
  return `${prefix}/${name}`.replace(/^(?:\.?\/)+/, '')
}

function textIn(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? length : end)
}

import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { StoreError } from '../store-error.ts'

/**
 * SQLite itself sees whether pages fit together, not whether what is in them
 * is what was written. So a copy carries its own hash, where the header has
 * room for the program: its version and its id, 4 bytes each.
 */
const places = [60, 68] as const
const headerBytes = 100
const magic = 'SQLite format 3\0'

/** Writes into a file what it holds. */
export async function sealCopy(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    const seal = await sealOf(handle)
    for (const [index, place] of places.entries()) {
      await handle.write(seal, index * 4, 4, place)
    }
  } finally {
    await handle.close()
  }
}

/** Throws, by the name, if a file is shorter than it says or not as it was sealed. */
export async function checkCopy(file: string, name: string): Promise<void> {
  const handle = await open(file, 'r')
  try {
    const header = Buffer.alloc(headerBytes)
    await handle.read(header, 0, headerBytes, 0)
    if (!header.toString('latin1').startsWith(magic)) {
      throw damaged(name, 'is no database of SQLite')
    }
    const { size } = await handle.stat()
    const missing = sizeIn(header) - size
    if (missing > 0) {
      throw damaged(name, `is cut off: ${missing} bytes are not there`)
    }
    const seal = Buffer.concat(
      places.map((place) => header.subarray(place, place + 4)),
    )
    // One that was copied otherwise has none.
    const isSealed = seal.some((byte) => byte !== 0)
    if (isSealed && !seal.equals(await sealOf(handle))) {
      throw damaged(name, 'is not as it was written')
    }
  } finally {
    await handle.close()
  }
}

/** What takes the seal away again: a database that is used changes. */
export const unsealSql = 'PRAGMA user_version = 0; PRAGMA application_id = 0'

async function sealOf(handle: FileHandle): Promise<Buffer> {
  const hash = createHash('sha256')
  const room = Buffer.alloc(1_048_576)
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(room, 0, room.length, at)
    if (bytesRead === 0) break
    if (at === 0) for (const place of places) room.fill(0, place, place + 4)
    hash.update(room.subarray(0, bytesRead))
    at += bytesRead
  }
  return hash.digest().subarray(0, places.length * 4)
}

/** SQLite fills up what is missing of its last page, and finds nothing wrong. */
function sizeIn(header: Buffer): number {
  const page = header.readUInt16BE(16)
  // The largest size of a page does not fit, and is written as 1.
  return (page === 1 ? 65_536 : page) * header.readUInt32BE(28)
}

function damaged(name: string, what: string): StoreError {
  return new StoreError('corrupt', `"${name}" ${what}; use another backup.`)
}

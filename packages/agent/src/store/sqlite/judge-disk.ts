import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StoreError } from '../store-error.ts'

/** What to do about a disk on which SQLite's locks or syncs do not hold. */
export type UnsafeDisk = 'refuse' | 'warn'

/**
 * Refuses a file on another machine's disk: there the locks of SQLite do not
 * hold, and two programs would ruin it. Warns of one inside a container image.
 */
export async function judgeDisk(
  file: string,
  { unsafeDisk, kind }: { unsafeDisk: UnsafeDisk; kind?: number | undefined },
): Promise<void> {
  if (process.platform !== 'linux') return
  const type = kind ?? (await statfs(dirname(file))).type
  if (type === overlay) {
    warn(
      `${file} is in a container's own file system, and is lost with it. Use a volume.`,
    )
    return
  }
  const name = shared.get(type)
  if (name === undefined) return
  const message = `"${file}" is on a shared disk (${name}), where SQLite cannot lock it. Put it on a local disk, or use Postgres.`
  if (unsafeDisk === 'warn') warn(message)
  else throw new StoreError('unsafe-file', message)
}

function warn(message: string): void {
  process.emitWarning(message, { code: 'HOOKLINE_UNSAFE_DISK' })
}

const overlay = 0x794c7630

/** Numbers of Linux file systems, as statfs(2) gives them. */
const shared = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p, as the drives of Windows in WSL'],
  [0x65735546, 'FUSE'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x786f4256, 'VirtualBox'],
])

import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'

/**
 * The input of a child as a file that has no name, in memory where it can be;
 * nothing where it cannot. Scripts open `/dev/stdin`, and with a socket, which
 * is what Node gives them, they cannot.
 */
export function openInput(text: string): number | undefined {
  const fd = openNameless()
  if (fd === undefined) return undefined
  try {
    const bytes = Buffer.from(text)
    let written = 0
    // With a position, so that whoever reads begins at the start.
    while (written < bytes.length) {
      written += writeSync(fd, bytes, written, bytes.length - written, written)
    }
    return fd
  } catch {
    // The disk is full.
    closeSync(fd)
    return undefined
  }
}

function openNameless(): number | undefined {
  for (const folder of ['/dev/shm', tmpdir()]) {
    try {
      return openSync(folder, nameless | constants.O_RDWR, 0o600)
    } catch {
      // Not there, not writable, or a file system that has no such files.
    }
  }
  return undefined
}

/** Linux only; Node does not list it. */
const nameless = 0o20_200_000

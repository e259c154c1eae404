import { existsSync } from 'node:fs'
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StoreError } from '../store-error.ts'

/** The log belongs to its database: a new one must not meet an old log. */
const endings = ['', '-wal', '-shm', '-journal'] as const

/** Where files are that are being given other names, while they are. */
interface Moving {
  readonly made: string
  readonly aside: string
}

/** Says that the names of a database are being changed. */
const noteOf = (file: string) => `${file}-restore`

/** Whether there is anything of a database. */
export function isThere(file: string): boolean {
  return endings.some((end) => existsSync(file + end))
}

/**
 * Puts a file in the place of a database, which is kept under another name;
 * gives its names. If the process dies meanwhile, nobody opens either until
 * `mendNames` has been asked.
 */
export async function putInPlace(
  made: string,
  file: string,
): Promise<readonly string[]> {
  const aside = freeName(file)
  const there = endings.filter((end) => existsSync(file + end))
  const moving: Moving = { made, aside }
  await writeFile(noteOf(file), JSON.stringify(moving), { mode: 0o600 })
  await syncPath(noteOf(file))
  await syncPath(dirname(file))
  for (const end of there) await rename(file + end, aside + end)
  await rename(made, file)
  await syncPath(dirname(file))
  await rm(noteOf(file))
  return there.map((end) => aside + end)
}

/** What was begun and not ended is undone. */
export async function mendNames(file: string): Promise<void> {
  if (!existsSync(noteOf(file))) return
  const text = await readFile(noteOf(file), 'utf8')
  const moving = readNote(text)
  if (moving !== undefined && existsSync(moving.made)) {
    for (const end of endings) {
      const kept = moving.aside + end
      if (existsSync(kept)) await rename(kept, file + end)
    }
  }
  await syncPath(dirname(file))
  await rm(noteOf(file))
}

/** Refuses a database whose names were being changed when a process died. */
export function refuseHalfMoved(file: string): void {
  if (!existsSync(noteOf(file))) return
  const message = `A restore of "${file}" was interrupted, and files may have the wrong names; restore it again.`
  throw new StoreError('unavailable', message)
}

export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes a database that nobody has used yet. */
export async function removeMade(file: string): Promise<void> {
  for (const end of [...endings, '-ballast']) {
    await rm(file + end, { force: true })
  }
}

/** One that was not written to its end: then nothing was moved yet. */
function readNote(text: string): Moving | undefined {
  try {
    return JSON.parse(text) as Moving
  } catch {
    return undefined
  }
}

/** One that nothing has yet: what was kept before stays, too. */
function freeName(file: string): string {
  const day = new Date().toISOString().slice(0, 10)
  for (let count = 1; ; count++) {
    const name = `${file}.before-${day}-${count}`
    if (!isThere(name)) return name
  }
}

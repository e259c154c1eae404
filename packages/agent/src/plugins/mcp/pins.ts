import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { MaybePromise } from 'hookline'
import { AgentError } from '../../index.ts'
import { inTurn } from '../../paths/file-turns.ts'

/** The hash of each tool's approved definition, by the name of the tool. */
export type PinnedTools = ReadonlyMap<string, string>

/** Where it is kept what tools of servers were like when they were approved. */
export interface McpPins {
  /** Of one server as it is configured; nothing, if it was never seen. */
  read(server: string): MaybePromise<PinnedTools | undefined>
  write(server: string, pinned: PinnedTools): MaybePromise<void>
}

/** Gone with the process: then whatever there is counts as approved. */
export function createMemoryPins(): McpPins {
  const kept = new Map<string, PinnedTools>()
  return {
    read: (server) => kept.get(server),
    write: (server, pinned) => void kept.set(server, pinned),
  }
}

/** In a file that nobody else may read. */
export function createFilePins(file: string): McpPins {
  // Another plugin may keep its pins in the same file.
  const path = resolve(file)
  return {
    read: (server) =>
      inTurn(path, async () => {
        const pinned = (await readPins(file)).get(server)
        return pinned && new Map(pinned)
      }),
    write: (server, pinned) =>
      inTurn(path, async () => {
        const all = await readPins(file)
        all.set(server, [...pinned])
        await writePins(file, all)
      }),
  }
}

type Pairs = readonly (readonly [string, string])[]

async function readPins(file: string): Promise<Map<string, Pairs>> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing) return new Map()
    throw unreadable(file, error)
  }
  try {
    const read: unknown = JSON.parse(text)
    if (!isPins(read)) throw new Error('It holds something else.')
    return new Map(read.servers)
  } catch (error) {
    throw unreadable(file, error)
  }
}

function isPins(
  value: unknown,
): value is { readonly servers: readonly (readonly [string, Pairs])[] } {
  const isPair = (pair: unknown, isRest: (rest: unknown) => boolean) =>
    Array.isArray(pair) && typeof pair[0] === 'string' && isRest(pair[1])
  const isHash = (hash: unknown) => typeof hash === 'string'
  const isPairs = (pairs: unknown) =>
    Array.isArray(pairs) && pairs.every((pair) => isPair(pair, isHash))
  if (typeof value !== 'object' || value === null) return false
  if (!('servers' in value) || !Array.isArray(value.servers)) return false
  return value.servers.every((pair) => isPair(pair, isPairs))
}

async function writePins(file: string, all: ReadonlyMap<string, Pairs>) {
  const next = `${file}.${randomUUID()}`
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  try {
    await writeFile(next, JSON.stringify({ servers: [...all] }), {
      mode: 0o600,
      flag: 'wx',
    })
    await rename(next, file)
  } catch (error) {
    await rm(next, { force: true })
    throw error
  }
}

function unreadable(file: string, cause: unknown): AgentError {
  const message = `The pinned MCP tools in "${file}" cannot be read; mend the file, or remove it to approve all tools as they are now.`
  return new AgentError('invalid-config', message, cause)
}

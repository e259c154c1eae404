import type { JsonObject } from 'hookline/lifecycle'
import type { McpPins, PinnedTools } from './pins.ts'
import type { ListedTool } from './tool-listing.ts'

/** A tool that is not, or not yet, what was approved. */
export interface McpToolChange {
  readonly server: string
  readonly tool: string
  readonly kind: 'changed' | 'added'
  /** Whether agents can use it all the same. */
  readonly isWithheld: boolean
  /** What the server says of it now. */
  readonly description: string
  readonly inputSchema: JsonObject
  /** Of all that the server says of it now; what is approved has this one. */
  readonly hash: string
}

/** What somebody has seen, and approves as it was then. */
export type SeenTool = Pick<McpToolChange, 'server' | 'tool' | 'hash'>

export interface ApprovalParts {
  readonly pins: McpPins
  /** What becomes of tools that appear later; default: told, and used. */
  readonly newTools: 'report' | 'withhold'
  /** Told once of every change. */
  readonly onChange: (change: McpToolChange) => void
}

export interface Judged {
  readonly usable: readonly ListedTool[]
  readonly changes: readonly McpToolChange[]
}

/** How a server is called, and how it is known to the pins. */
export interface PinnedServer {
  readonly name: string
  readonly key: string
}

const maxPinned = 2_000

/** Which tools are as they were approved: those of the first sight are. */
export class ToolApproval {
  readonly #parts: ApprovalParts
  /** What awaits an approval, by server and tool. */
  readonly #seen = new Map<string, McpToolChange>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: ApprovalParts) {
    this.#parts = parts
  }

  /** What has changed since it was approved. */
  get changes(): readonly McpToolChange[] {
    return [...this.#seen.values()]
  }

  judge(server: PinnedServer, tools: readonly ListedTool[]): Promise<Judged> {
    return this.#inTurn(() => this.#judge(server, tools))
  }

  /** What servers have that nobody may use any more awaits nothing. */
  forget(isUsed: (server: string) => boolean): void {
    for (const [id, { server }] of this.#seen) {
      if (!isUsed(server)) this.#seen.delete(id)
    }
  }

  /** False where that is not what was reported last, or is not there any more. */
  approve({ name, key }: PinnedServer, seen: SeenTool): Promise<boolean> {
    const { tool, hash } = seen
    return this.#inTurn(async () => {
      const id = idOf(name, tool)
      const last = this.#seen.get(id)
      if (last === undefined || last.hash !== hash) return false
      const pinned = new Map(await this.#parts.pins.read(key))
      await this.#parts.pins.write(key, pinned.set(tool, hash))
      this.#seen.delete(id)
      return true
    })
  }

  async #judge(
    server: PinnedServer,
    tools: readonly ListedTool[],
  ): Promise<Judged> {
    const { pins, newTools } = this.#parts
    const before = await pins.read(server.key)
    const pinned = new Map(before)
    const usable: ListedTool[] = []
    const changes: McpToolChange[] = []
    for (const tool of tools) {
      const known = pinned.get(tool.name)
      if (known === tool.hash) {
        this.#seen.delete(idOf(server.name, tool.name))
        usable.push(tool)
        continue
      }
      const isFirstSight = before === undefined
      const isNew = known === undefined
      const isTaken = newTools === 'report' && pinned.size < maxPinned
      const isWithheld = !isFirstSight && !(isNew && isTaken)
      if (!isWithheld) {
        pinned.set(tool.name, tool.hash)
        usable.push(tool)
      }
      if (isFirstSight) continue
      const change: McpToolChange = {
        server: server.name,
        tool: tool.name,
        kind: isNew ? 'added' : 'changed',
        isWithheld,
        description: tool.description,
        inputSchema: tool.inputSchema,
        hash: tool.hash,
      }
      changes.push(this.#report(change))
    }
    this.#keepListed(server.name, tools)
    if (hasNew(before, pinned)) await pins.write(server.key, pinned)
    return { usable, changes }
  }

  /** Names are the server's to choose: it could have ever more of them. */
  #keepListed(server: string, tools: readonly ListedTool[]): void {
    const listed = new Set(tools.map(({ name }) => name))
    for (const [id, seen] of this.#seen) {
      const isGone = seen.server === server && !listed.has(seen.tool)
      if (isGone) this.#seen.delete(id)
    }
  }

  #report(change: McpToolChange): McpToolChange {
    const id = idOf(change.server, change.tool)
    if (this.#seen.get(id)?.hash === change.hash) return change
    if (change.isWithheld) this.#seen.set(id, change)
    this.#parts.onChange(change)
    return change
  }

  /** One after the other: each builds on what the last has written. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }
}

function idOf(server: string, tool: string): string {
  return JSON.stringify([server, tool])
}

function hasNew(before: PinnedTools | undefined, after: PinnedTools): boolean {
  return before === undefined || after.size > before.size
}

import { fingerprint } from './fingerprint.ts'

const maxLength = 64

/** The name that agents and providers know a server's tool by. */
export function toolNameOf(server: string, tool: string): string {
  const name = `mcp__${server}__${tool.replace(/[^a-zA-Z0-9_-]/g, '_')}`
  if (name.length <= maxLength) return name
  // What is cut off would have told it from others.
  const mark = fingerprint(tool).slice(0, 8)
  return `${name.slice(0, maxLength - mark.length - 1)}_${mark}`
}

interface NamedTool<T> {
  readonly name: string
  readonly tool: T
}

/** Those that have a name of their own, and which of them have none. */
export function nameTools<T extends { readonly name: string }>(
  server: string,
  tools: readonly T[],
) {
  const byName = new Map<string, T[]>()
  for (const tool of tools) {
    const name = toolNameOf(server, tool.name)
    byName.set(name, [...(byName.get(name) ?? []), tool])
  }
  const named: NamedTool<T>[] = []
  const collisions: (readonly T[])[] = []
  for (const [name, same] of byName) {
    const [tool, another] = same
    if (another !== undefined) collisions.push(same)
    else if (tool !== undefined) named.push({ name, tool })
  }
  return { named, collisions }
}

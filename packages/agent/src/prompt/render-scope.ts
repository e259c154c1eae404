import type { AgentConfig } from 'hookline/lifecycle'

const lists = [
  ['tools', 'tools'],
  ['skills', 'skills'],
  ['mcpServers', 'MCP servers'],
  ['subagents', 'agents'],
] as const

/** Tells an agent what it is confined to; nothing, where it is not. */
export function renderScope(
  config: AgentConfig,
  lines: readonly string[],
): string | undefined {
  const own = lists.flatMap(([key, label]) => {
    const names = config[key]
    if (names === undefined) return []
    return [`${label}: ${names.length === 0 ? 'none' : names.join(', ')}`]
  })
  const all = [...own, ...lines].map((line) => line.replace(/[\s<>]+/g, ' '))
  if (all.length === 0) return undefined
  const body = all.join('\n')
  return `<scope>\n${body}\nAnything else is refused.\n</scope>`
}

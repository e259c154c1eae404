import type { HookDefinition } from '@hookline/agent/handlers'
import { compileTable, type Hook, type HookDescriptor, proceed } from 'hookline'
import { points } from 'hookline/lifecycle'

interface Described {
  readonly name: string
  readonly definition: HookDefinition
}

/** What a hook that is in no table would be like; undefined where it is none. */
export function describeDefinition({
  name,
  definition,
}: Described): HookDescriptor | undefined {
  const known: Readonly<Record<string, Hook['on']>> = points
  const on = known[definition.on]
  if (on === undefined) return undefined
  const { handler, description: _, mustAnswer: __, ...declared } = definition
  // Its place among others, and what patterns mean, are not asked here.
  const { after = [], before = [], needs = [], match, ...rest } = declared
  const hook: Hook = {
    ...rest,
    name,
    on,
    handler: { id: name, kind: handler.type },
    run: () => proceed,
  } as Hook // a definition has the names of a hook, and its point checks it
  try {
    const [described] = compileTable([hook]).hooks
    if (described === undefined) return undefined
    return { ...described, after, before, needs, match: match ?? 'every input' }
  } catch {
    return undefined
  }
}

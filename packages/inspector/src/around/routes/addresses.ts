/**
 * Every view by its address. What a path names is in its pattern; what a filter
 * holds stands in the query, so that whatever is seen can be sent to others.
 */
export const addresses = {
  live: address('/live', ['agent']),
  sessions: address('/sessions', ['agent', 'state', 'search']),
  session: address('/sessions/:sessionId', []),
  turn: address('/sessions/:sessionId/turns/:turnId', [
    'run',
    'tab',
    'kind',
    'outcome',
    'search',
  ]),
  runs: address('/runs', ['session', 'hook', 'point', 'state', 'search']),
  run: address('/runs/:runId', []),
  call: address('/calls/:callId', ['session', 'turn']),
  plans: address('/plans', ['agent']),
  plan: address('/plans/:point', ['agent', 'tool', 'hook']),
  approvals: address('/approvals', ['session', 'question']),
  approval: address('/approvals/:approvalId', ['session']),
  health: address('/health', ['hook', 'since', 'by', 'agent']),
  settings: address('/settings', []),
} as const

export type ViewName = keyof typeof addresses

type Addresses = typeof addresses

/** What a view is given: all that its path names, and what its query holds. */
export type ParamsOf<Name extends ViewName> = Simple<
  { readonly [Key in PathKeys<Addresses[Name]['pattern']>]: string } & {
    readonly [Key in Addresses[Name]['query'][number]]?: string | undefined
  }
>

type Simple<T> = { [Key in keyof T]: T[Key] }

type PathKeys<Pattern extends string> =
  Pattern extends `${string}:${infer Key}/${infer Rest}`
    ? Key | PathKeys<`/${Rest}`>
    : Pattern extends `${string}:${infer Key}`
      ? Key
      : never

/** Where somebody is. */
export type Place = {
  [Name in ViewName]: {
    readonly view: Name
    readonly params: ParamsOf<Name>
  }
}[ViewName]

interface Address<Pattern extends string, Query extends string> {
  readonly pattern: Pattern
  readonly query: readonly Query[]
}

function address<Pattern extends string, const Query extends string>(
  pattern: Pattern,
  query: readonly Query[],
): Address<Pattern, Query> {
  return { pattern, query }
}

/** The address of a view, to be linked to. */
export function hrefOf<Name extends ViewName>(
  view: Name,
  ...[params]: Record<never, never> extends ParamsOf<Name>
    ? [params?: ParamsOf<Name>]
    : [params: ParamsOf<Name>]
): string {
  const { pattern, query }: Address<string, string> = addresses[view]
  const given: Readonly<Record<string, string | undefined>> = params ?? {}
  const path = pattern.replaceAll(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(given[key] ?? ''),
  )
  const search = new URLSearchParams()
  for (const key of query) {
    const value = given[key]
    if (value) search.set(key, value)
  }
  return search.size === 0 ? path : `${path}?${search}`
}

/** The view at an address; undefined: there is none. */
export function placeAt(path: string, search = ''): Place | undefined {
  if (path === '/') return { view: 'live', params: {} }
  const parts = path.slice(1).split('/')
  const given = new URLSearchParams(search)
  for (const [view, { pattern, query }] of Object.entries(addresses)) {
    const named = matchPath(pattern, parts)
    if (named === undefined) continue
    const filters = query.flatMap((key) => {
      const value = given.get(key)
      return value ? [[key, value] as const] : []
    })
    const params = { ...named, ...Object.fromEntries(filters) }
    // The pattern of this very view has named them.
    return { view, params } as Place
  }
  return undefined
}

function matchPath(
  pattern: string,
  parts: readonly string[],
): Record<string, string> | undefined {
  const wanted = pattern.slice(1).split('/')
  if (wanted.length !== parts.length) return undefined
  const found: Record<string, string> = {}
  for (const [at, want] of wanted.entries()) {
    const part = parts[at] ?? ''
    if (want.startsWith(':')) {
      const value = decode(part)
      if (!value) return undefined
      found[want.slice(1)] = value
    } else if (want !== part) return undefined
  }
  return found
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

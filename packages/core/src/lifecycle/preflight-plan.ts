import type { JsonObject } from './json.ts'

/** What a look at the turn before it begins suggests to recall and to do. */
export interface PreflightPlan {
  /** Who made it: a model, or simple rules; `none`: there is nothing to plan. */
  readonly source: 'model' | 'local' | 'none'
  readonly recall: readonly RecallRequest[]
  /** What else the preflight found, under names of domains. */
  readonly findings?: { readonly [domain: string]: JsonObject }
}

export interface RecallRequest {
  readonly domain: string
  readonly query: string
  readonly maxResults?: number
}

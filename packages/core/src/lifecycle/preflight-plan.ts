import type { JsonObject } from './json.ts'

/** What a look at the turn before it begins suggests to recall and to do. */
export interface PreflightPlan {
  /** `fallback`: made locally, because the preflight gave none. */
  readonly source: 'preflight' | 'fallback'
  readonly recall: readonly RecallRequest[]
  /** What else the preflight found, under names of domains. */
  readonly findings?: { readonly [domain: string]: JsonObject }
}

export interface RecallRequest {
  readonly domain: string
  readonly query: string
  readonly maxResults?: number
}

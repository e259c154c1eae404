import type { Row } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import type { FoundMemory } from './memories.ts'
import { openMemory } from './memory-row.ts'
import { planSearch, type SearchPlan } from './plan-search.ts'
import { type Corpus, createScorer, weightOf } from './rank.ts'
import {
  countTerms,
  findNewest,
  findRankedInPostgres,
  findRankedInSqlite,
} from './statements.ts'
import { queryTerms, type TermGroup } from './terms.ts'

export interface Search {
  /** Ids of spaces. */
  readonly spaces: readonly string[]
  readonly limit: number
}

/** How many the engine finds are ordered here, where more counts. */
const candidates = 64
const maxSpaces = 16
const fewest = 100

/** The engine finds candidates by their rarest words; the scorer orders them. */
export async function searchMemories(
  parts: StoreParts,
  query: string,
  search: Search,
): Promise<readonly FoundMemory[]> {
  const groups = queryTerms(query)
  if (groups.length === 0 || search.spaces.length === 0) return []
  const corpus = await readCorpus(parts, groups)
  const plan = planSearch(groups, corpus)
  const rows = await findRows(parts, plan, { ...search, corpus })
  const score = createScorer(groups, corpus)
  return rows
    .map((row) => {
      const memory = openMemory(row, parts)
      return { ...memory, score: score(`${memory.name}\n${memory.text}`) }
    })
    .sort((a, b) => b.score - a.score || b.updatedAt - a.updatedAt)
    .slice(0, search.limit)
}

async function readCorpus(
  { database, payloads }: StoreParts,
  groups: readonly TermGroup[],
): Promise<Corpus> {
  const terms = [...new Set(groups.flat())]
  const forms = terms.map((term) => payloads.wordForms(term))
  const sql = countTerms[database.dialect]
  const values = [JSON.stringify(forms.flat())]
  const rows = await database.read({ sql, values })
  const counted = new Map(
    rows.map((row) => [String(row['term']), Number(row['documents'] ?? 0)]),
  )
  const countOf = (form: string) => counted.get(form) ?? 0
  const found = new Map(
    terms.map((term, index) => [
      term,
      (forms[index] ?? []).reduce((sum, form) => sum + countOf(form), 0),
    ]),
  )
  return {
    // What an engine knows of itself may be old, or nothing yet.
    documents: Math.max(countOf(''), fewest, 2 * Math.max(...found.values())),
    frequency: (term) => found.get(term) ?? 0,
  }
}

type Find = Search & { readonly corpus: Corpus }

async function findRows(
  parts: StoreParts,
  { ranked, common }: SearchPlan,
  find: Find,
): Promise<readonly Row[]> {
  const limit = Math.max(find.limit, candidates)
  const best =
    ranked.length > 0 ? await findRanked(parts, ranked, { ...find, limit }) : []
  const [first, ...others] = common
  if (first === undefined || best.length >= find.limit) return best
  const { dialect } = parts.database
  const known = new Set(best.map(({ id }) => id))
  const also = [...ranked, ...others]
  const wanted = also.length > 0 ? [[first], also] : [[first]]
  const values = [matchOf(parts, wanted, find.spaces), limit]
  const newest = await parts.database.read({ sql: findNewest[dialect], values })
  return [...best, ...newest.filter(({ id }) => !known.has(id))]
}

async function findRanked(
  parts: StoreParts,
  groups: readonly TermGroup[],
  { spaces, corpus, limit }: Find,
): Promise<readonly Row[]> {
  const { database } = parts
  const match = matchOf(parts, [groups], spaces)
  if (database.dialect === 'sqlite') {
    const values = [match, limit]
    return await database.read({ sql: findRankedInSqlite, values })
  }
  const weighed = groups.flatMap((group) => [
    anyOf(parts, [group]),
    // As much as the form tells that most of what is found has.
    Math.min(...group.map((term) => weightOf(term, corpus))),
  ])
  const sql = findRankedInPostgres(groups.length)
  return await database.read({ sql, values: [match, ...weighed, limit] })
}

/** Any of each, in the language of the engine. */
function matchOf(
  parts: StoreParts,
  wanted: readonly (readonly TermGroup[])[],
  spaces: readonly string[],
): string {
  const isSqlite = parts.database.dialect === 'sqlite'
  const [and, or] = isSqlite ? [' AND ', ' OR '] : [' & ', ' | ']
  const quote = isSqlite ? '"' : "'"
  const place = spaces
    .slice(0, maxSpaces)
    .map((space) => `${quote}${space}${quote}`)
    .join(or)
  const words = wanted.map((groups) => anyOf(parts, groups)).join(and)
  return isSqlite
    ? `space : (${place}) AND words : (${words})`
    : `(${place}) & (${words})`
}

function anyOf(
  { database, payloads }: StoreParts,
  groups: readonly TermGroup[],
): string {
  const isSqlite = database.dialect === 'sqlite'
  const quote = isSqlite ? '"' : "'"
  const terms = [...new Set(groups.flat())]
  const forms = terms.flatMap((term) => payloads.wordForms(term))
  const quoted = forms.map((form) => `${quote}${form}${quote}`)
  return `(${quoted.join(isSqlite ? ' OR ' : ' | ')})`
}

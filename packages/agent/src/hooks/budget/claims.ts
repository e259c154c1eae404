import { type Cell, defineCell, type State } from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import type { ModelPrice } from '../../index.ts'
import { dayToCount } from '../shared/spending/day-of.ts'
import { accountNow, type Book, type Claim, committed, roomIn } from './book.ts'
import type { BudgetLimits, BudgetOptions } from './options.ts'

/** A cell, and the accounts in it that a call needs room in. */
export interface Shelf {
  readonly cell: Cell<Book>
  readonly claims: readonly Claim[]
}

// As many keys as a cell may have need no more.
const maxChars = 2_000_000

/** Where a call has to have room, going by its moment. */
export function createShelves(
  name: string,
  { turn, session, day, actorDay }: BudgetOptions,
  today: () => string,
): (scope: AgentScope) => readonly Shelf[] {
  const initial = (): Book => ({})
  const tree = defineCell(name, { initial, scope: 'tree', maxChars })
  const all = defineCell(name, { initial, maxChars })
  return ({ parents, turnId = '', actor }) => {
    const isTop = parents === undefined
    const who = actor ? `${actor.kind} ${actor.id}` : 'nobody'
    const current = today()
    const ofTree = [
      // A sub-agent does not know for which turn it works: the one that runs.
      claimOf('turn', turn, isTop ? turnId : undefined, turnId),
      claimOf('session', session, ''),
    ]
    const ofAll = [
      { ...claimOf('day', day, current), isDaily: true },
      { ...claimOf(`actor ${who}`, actorDay, current), isDaily: true },
    ]
    const shelves = [
      { cell: tree, claims: ofTree.filter(isLimited) },
      { cell: all, claims: ofAll.filter(isLimited) },
    ]
    return shelves.filter(({ claims }) => claims.length > 0)
  }
}

function claimOf(
  account: string,
  limits: BudgetLimits = {},
  period: string | undefined,
  otherwise = '',
): Claim {
  return { account, limits, period, otherwise, isDaily: false }
}

function isLimited({ limits }: Claim): boolean {
  return Object.keys(limits).length > 0
}

/** Without accounts of actors that are of another day. */
export function withoutPast(book: Book, today: string): Book {
  const entries = Object.entries(book)
  const isPast = ([key, { period, open }]: (typeof entries)[number]) =>
    key.startsWith('actor ') &&
    dayToCount(period, today) !== period &&
    open.length === 0
  if (!entries.some(isPast)) return book
  return Object.fromEntries(entries.filter((entry) => !isPast(entry)))
}

interface Call {
  readonly input: number
  readonly price: ModelPrice | undefined
  readonly now: number
}

/** How many tokens a call may give, by all its accounts. */
export async function roomFor(
  state: State,
  shelves: readonly Shelf[],
  call: Call,
): Promise<number> {
  let room = Infinity
  for (const { cell, claims } of shelves) {
    const book = await state.get(cell)
    for (const claim of claims) {
      const account = accountNow(book, claim, call.now)
      room = Math.min(room, roomIn(account, claim.limits, call))
    }
  }
  return room
}

/** Which account has no room for a call, and why. */
export function explainRefusal(
  book: Book,
  claims: readonly Claim[],
  { output, ...call }: Call & { readonly output: number },
): string {
  const full = claims.find((claim) => {
    const account = accountNow(book, claim, call.now)
    return roomIn(account, claim.limits, call) < output
  })
  if (full === undefined) return 'The budget is used up.'
  const { limits } = full
  const used = committed(accountNow(book, full, call.now))
  const parts = (['tokens', 'cost', 'calls', 'modelMs'] as const).flatMap(
    (kind) => {
      const limit = limits[kind]
      return limit === undefined
        ? []
        : [`${rounded(used[kind])} of ${limit} ${words[kind]}`]
    },
  )
  const whose = full.account.startsWith('actor') ? 'actor' : full.account
  return `The budget of this ${whose} has no room for a call that may need ${call.input + output} tokens: ${parts.join(', ')} are used or reserved.`
}

const words = {
  tokens: 'tokens',
  cost: 'in cost',
  calls: 'calls of models',
  modelMs: 'ms of calls',
} as const

function rounded(value: number): number {
  return Math.round(value * 1_000_000) / 1_000_000
}

import type { ModelPrice } from '../../index.ts'
import { addCounts } from '../shared/spending/add-counts.ts'
import { dayToCount } from '../shared/spending/day-of.ts'
import type { BudgetLimits } from './options.ts'

/** What has been used, or could be. */
export interface Amount {
  readonly tokens: number
  readonly cost: number
  readonly calls: number
  readonly modelMs: number
}

/** What a call that is under way could use. */
export interface Reservation {
  /** The run of the hook that made it. */
  readonly run: string
  /** The turn that it was made in. */
  readonly turn: string
  readonly input: number
  readonly output: number
  readonly cost: number
  /** By wall time; then nobody will settle it any more. */
  readonly until: number
}

export interface Account {
  /** What it is about now, such as a day. */
  readonly period: string
  readonly spent: Amount
  readonly open: readonly Reservation[]
}

/** The accounts of one cell. */
export type Book = Readonly<Record<string, Account>>

/** An account that a call needs room in. */
export interface Claim {
  readonly account: string
  readonly limits: BudgetLimits
  /** Absent: whatever it is about now. */
  readonly period: string | undefined
  /** What to call it where it is about nothing yet. */
  readonly otherwise: string
  /** Whether periods are days; calls under way count on in the next one. */
  readonly isDaily: boolean
}

export interface Want extends Reservation {
  readonly price: ModelPrice | undefined
  readonly now: number
}

export const nothing: Amount = Object.freeze({
  tokens: 0,
  cost: 0,
  calls: 0,
  modelMs: 0,
})

/** Used, and what is under way could use. */
export function committed({ spent, open }: Account): Amount {
  return open.reduce(
    (sum, one) => addCounts(sum, { ...nothing, ...worstOf(one) }),
    spent,
  )
}

function worstOf({ input, output, cost }: Reservation) {
  return { tokens: input + output, cost, calls: 1 }
}

/** The account as it is now: of its period, with nothing that is overdue. */
export function accountNow(book: Book, claim: Claim, now: number): Account {
  const { account, isDaily } = claim
  const before = Object.hasOwn(book, account) ? book[account] : undefined
  const current = periodNow(before?.period, claim)
  const isSame = before?.period === current
  const open = isSame || isDaily ? (before?.open ?? []) : []
  const spent = isSame ? (before?.spent ?? nothing) : nothing
  return open.some(({ until }) => until <= now)
    ? { period: current, ...overdue({ spent, open }, now) }
    : { period: current, spent, open }
}

function periodNow(
  before: string | undefined,
  { period, otherwise, isDaily }: Claim,
): string {
  const current = period ?? before ?? otherwise
  return isDaily ? dayToCount(before, current) : current
}

/** What was not settled in time counts as used. */
function overdue(
  { spent, open }: Pick<Account, 'spent' | 'open'>,
  now: number,
): Pick<Account, 'spent' | 'open'> {
  return {
    spent: open
      .filter(({ until }) => until <= now)
      .reduce(
        (sum, one) => addCounts(sum, { ...nothing, ...worstOf(one) }),
        spent,
      ),
    open: open.filter(({ until }) => until > now),
  }
}

/** Reserves in all accounts, or in none if one has no room. */
export function reserve(
  book: Book,
  claims: readonly Claim[],
  { price, now, ...made }: Want,
): Book {
  const accounts = claims.map((claim) => {
    return { ...claim, now: accountNow(book, claim, now) }
  })
  const about = { input: made.input, price }
  const hasRoom = accounts.every(
    ({ limits, now: account }) => roomIn(account, limits, about) >= made.output,
  )
  const entries = accounts.map(({ account: key, now: account }) => [
    key,
    hasRoom ? { ...account, open: [...account.open, made] } : account,
  ])
  return { ...book, ...Object.fromEntries(entries) }
}

/** How many tokens a call may give at most; below zero, where it must not be. */
export function roomIn(
  account: Account,
  { tokens, cost, calls, modelMs }: BudgetLimits,
  { input, price }: Pick<Want, 'input' | 'price'>,
): number {
  const used = committed(account)
  if (calls !== undefined && used.calls >= calls) return -1
  if (modelMs !== undefined && used.modelMs >= modelMs) return -1
  const byTokens =
    tokens === undefined ? Infinity : tokens - used.tokens - input
  return Math.min(byTokens, roomForCost(cost, used.cost, { input, price }))
}

function roomForCost(
  limit: number | undefined,
  used: number,
  { input, price }: Pick<Want, 'input' | 'price'>,
): number {
  if (limit === undefined) return Infinity
  if (price === undefined) return -1
  const left = limit - used - priceFor(input, 0, price)
  if (left < 0) return -1
  return price.output === 0
    ? Infinity
    : Math.floor((left * 1_000_000) / price.output + rounding)
}

// A sum of money is not always the very number that it should be.
const rounding = 1e-6

/** The most that a call can cost. */
export function priceFor(
  input: number,
  output: number,
  price: ModelPrice | undefined,
): number {
  if (price === undefined) return 0
  const dearest = Math.max(price.input, price.cacheWrite ?? 0)
  return (input * dearest + output * price.output) / 1_000_000
}

/** Puts what was used in the place of what was reserved. */
export function settle(book: Book, { run }: Reservation, used: Amount): Book {
  const entries = Object.entries(book).map(([key, account]) => {
    const open = account.open.filter((one) => one.run !== run)
    if (open.length === account.open.length) return [key, account]
    return [key, { ...account, open, spent: addCounts(account.spent, used) }]
  })
  return Object.fromEntries(entries)
}

/** Counts something for which nothing was reserved. */
export function spend(
  book: Book,
  claims: readonly Claim[],
  { used, now }: { readonly used: Amount; readonly now: number },
): Book {
  const entries = claims.map((claim) => {
    const account = accountNow(book, claim, now)
    const spent = addCounts(account.spent, used)
    return [claim.account, { ...account, spent }]
  })
  return { ...book, ...Object.fromEntries(entries) }
}

/** What is reserved and fits, each once, though several accounts have it. */
export function reservedIn(
  book: Book,
  isMeant: (one: Reservation) => boolean,
): readonly Reservation[] {
  const open = Object.values(book).flatMap((account) => account.open)
  return [
    ...new Map(open.filter(isMeant).map((one) => [one.run, one])).values(),
  ]
}

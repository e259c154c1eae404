import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type Right, rights } from '../protocol/routes.ts'

/** Whoever may use the daemon, as it is kept: a token is known by its hash. */
export interface Principal {
  readonly name: string
  readonly kind: 'user' | 'service'
  readonly rights: readonly Right[]
  readonly tokenHash: string
  readonly createdAt: number
  /** When its token ends; absent: when somebody revokes it. */
  readonly expiresAt?: number | undefined
}

/** Of whoever owns the home; its token is in the home. */
export const ownerName = 'owner'

/** What all tokens begin with, so that they are known wherever they turn up. */
export const tokenPrefix = 'hkl_'

const principal = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9._@-]{0,99}$/),
  kind: z.enum(['user', 'service']),
  rights: z.array(z.enum(rights)).max(rights.length),
  tokenHash: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.number().int().min(0),
  expiresAt: z.number().int().min(0).optional(),
})

/** What the file of principals holds. */
export const principalFile = z.strictObject({
  version: z.literal(1),
  principals: z.array(principal).max(1_000),
})

export const isPrincipalName = (name: string): boolean =>
  principal.shape.name.safeParse(name).success

export function makeToken(): string {
  return tokenPrefix + randomBytes(32).toString('base64url')
}

export function hashToken(token: string): string {
  return hash('sha256', token)
}

/**
 * Whose token has that hash. All are compared, each in constant time, so that
 * nothing can be learned from how long it takes.
 */
export function findByHash<One extends { readonly tokenHash: string }>(
  all: Iterable<One>,
  hash: string,
): One | undefined {
  const given = Buffer.from(hash, 'hex')
  let found: One | undefined
  for (const one of all) {
    if (timingSafeEqual(given, Buffer.from(one.tokenHash, 'hex'))) found = one
  }
  return found
}

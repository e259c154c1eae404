import { lookup as lookUp } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { HandlerFailure } from '../handler-failure.ts'
import { isWithin, type Reach } from './address-rules.ts'

interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Finds all addresses of a host. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>

/** As the system does, its own file of hosts included. */
export const resolveBySystem: Resolve = (host) => lookUp(host, { all: true })

/**
 * What a socket asks for the addresses of its host, once for a connection. It
 * gets them only if every one may be asked, and connects to no other.
 */
export function guardedLookup(resolve: Resolve, reach: Reach): LookupFunction {
  return (host, { all }, callback) => {
    const tell = async () => {
      try {
        const found = checkAll(host, await resolve(host), reach)
        const [first] = found
        return all
          ? () => callback(null, found.map(copyOf))
          : () => callback(null, first.address, first.family)
      } catch (error) {
        // Whatever it is, the socket passes it on as it is.
        return () => callback(error as NodeJS.ErrnoException, '')
      }
    }
    // What the socket throws is not ours to catch.
    void tell().then((answer) => process.nextTick(answer))
  }
}

type Found = readonly [ResolvedAddress, ...ResolvedAddress[]]

function checkAll(
  host: string,
  found: readonly ResolvedAddress[],
  reach: Reach,
): Found {
  const [first, ...others] = found
  if (first === undefined) {
    throw new HandlerFailure('network', `The host "${host}" has no address.`)
  }
  for (const { address } of found) {
    if (!isWithin(address, reach)) throw blockedAddress(host, reach)
  }
  return [first, ...others]
}

export function blockedAddress(host: string, reach: Reach): HandlerFailure {
  const message =
    reach === 'loopback'
      ? `The host ${host} is not this machine; use https for others.`
      : `The host "${host}" has an address in a private range; set allowPrivate if that is meant.`
  return new HandlerFailure('blocked-address', message)
}

function copyOf({ address, family }: ResolvedAddress) {
  return { address, family }
}

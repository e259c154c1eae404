import { BlockList, isIP } from 'node:net'

/** Which addresses may be asked: those of the internet, our own, or all. */
export type Reach = 'public' | 'loopback' | 'any'

/** Addresses that are not of the internet, after RFC 6890 and its followers. */
const privateV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

const privateV6 = [
  // Unspecified, loopback, and IPv4 in the old form and in that of translators.
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b:1::', 48],
  // All that is not 2000::/3, which is all there is of the internet.
  ['100::', 8],
  ['200::', 7],
  ['400::', 6],
  ['800::', 5],
  ['1000::', 4],
  ['4000::', 2],
  ['8000::', 1],
  // Teredo, benchmarks, ORCHID, documentation, 6to4.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const blocked = new BlockList()
for (const [network, bits] of privateV4) {
  // IPv4 mapped into IPv6 is covered by the first; NAT64 wraps it as well.
  blocked.addSubnet(network, bits, 'ipv4')
  blocked.addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6')
}
for (const [network, bits] of privateV6) {
  blocked.addSubnet(network, bits, 'ipv6')
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an address, in any spelling that the system gives, may be asked. */
export function isWithin(address: string, reach: Reach): boolean {
  const family = isIP(address)
  if (family === 0) return false
  if (reach === 'any') return true
  const [bare = ''] = address.split('%')
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  if (reach === 'loopback') return loopback.check(bare, kind)
  return !blocked.check(bare, kind)
}

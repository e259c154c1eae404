import { hash } from 'node:crypto'

const blockBytes = 64
const digestBytes = 32
const hexChars = 64

/**
 * Signs SHA-256 hashes in hex by HMAC with SHA-256 (RFC 2104). Written out,
 * because `createHmac` makes objects for each, which take ten times as long.
 */
export function createHashSigner(key: Uint8Array): (hexHash: string) => string {
  const inner = Buffer.alloc(blockBytes + hexChars)
  const outer = Buffer.alloc(blockBytes + digestBytes)
  const short = key.length > blockBytes ? hash('sha256', key, 'buffer') : key
  for (let at = 0; at < blockBytes; at++) {
    const byte = short[at] ?? 0
    inner[at] = byte ^ 0x36
    outer[at] = byte ^ 0x5c
  }
  return (hexHash) => {
    // What a tampered record holds may be anything; it is no hash of ours.
    if (hexHash.length !== hexChars) return ''
    inner.write(hexHash, blockBytes, 'latin1')
    hash('sha256', inner, 'buffer').copy(outer, blockBytes)
    return hash('sha256', outer, 'hex')
  }
}

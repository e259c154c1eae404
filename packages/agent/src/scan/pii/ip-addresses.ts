import { isIPv6 } from 'node:net'
import type { Spans } from '../spans.ts'
import { isSpokenOf } from './digits.ts'

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const fourth = new RegExp(
  `(?<![\\w.-])${octet}(?:\\.${octet}){3}(?![\\w-]|\\.\\d)`,
  'g',
)
const sixth = /(?<![\w:.])[0-9A-Fa-f:]{6,45}(?![\w:]|\.\d)/g

// Versions have four parts, too.
const versions =
  /(?:version|release|v|build|firmware|chapter|section)[ :=]{0,2}$/i

/** Addresses of machines, without those that every machine has. */
export function findIpAddresses(text: string, spans: Spans): void {
  for (const { index, 0: found } of text.matchAll(fourth)) {
    if (/^(?:127\.|0\.|255\.255\.)|\.0\.0\.0$/.test(found)) continue
    if (isSpokenOf(text, index, { words: versions, chars: 16 })) continue
    spans.add(index, index + found.length, 'ip')
  }
  for (const { index, 0: found } of text.matchAll(sixth)) {
    const bare = found.replace(/:$/, '')
    // Names in code such as `a::b` are addresses by the letter only.
    if (!/^(?=[0-9A-Fa-f]*\d)[0-9A-Fa-f]{3,4}:/.test(bare)) continue
    if (isIPv6(bare)) spans.add(index, index + bare.length, 'ip')
  }
}

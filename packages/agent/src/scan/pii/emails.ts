import type { Spans } from '../spans.ts'

const localAtEnd = /[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}$/u
const domainAtStart =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:\p{L}{2,24}|xn--[a-z0-9-]{1,20})(?![\p{L}\p{N}@-])/u

// Names of files, such as `icon@2x.png`, look like domains.
const fileEnding =
  /\.(?:png|jpe?g|gif|svg|webp|ico|js|mjs|cjs|ts|tsx|jsx|css|html?|json|ya?ml|md|txt|py|rb|go|rs|sh|zip|tgz|gz|lock|log|xml)$/i

/** Addresses of mail. Each sign is looked at with a bounded surrounding. */
export function findEmails(text: string, spans: Spans): void {
  for (const { index: at, 0: sign } of text.matchAll(/@|%40/g)) {
    const before = text.slice(Math.max(0, at - 64), at)
    const local = localAtEnd.exec(before)?.[0].replace(/^[^\p{L}\p{N}+_]+/u, '')
    const after = at + sign.length
    const domain = domainAtStart.exec(text.slice(after, after + 254))?.[0]
    if (!local || !domain || fileEnding.test(domain)) continue
    // In an address the parts before it are others.
    const bare = local.slice(local.search(/[^/?&=]*$/))
    const start = at - bare.length
    const end = after + domain.length
    if (bare === '' || bare.endsWith('.') || bare.includes('..')) continue
    if (isRemote(text, bare, start, end)) continue
    spans.add(start, end, 'email')
  }
}

/** A place to log in at, rather than a person: `git@host:path`, `://a:b@host`. */
function isRemote(text: string, local: string, start: number, end: number) {
  if (local === 'git' || /^:[\w~./]/.test(text.slice(end, end + 2))) return true
  let at = start
  while (at > 0 && at > start - 128 && text.charCodeAt(at - 1) > 0x20) at--
  return /:\/\/[^/?#]*$/.test(text.slice(at, start))
}

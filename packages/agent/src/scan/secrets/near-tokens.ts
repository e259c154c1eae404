import type { Spans } from '../spans.ts'
import type { Anchor } from './anchor.ts'

/** A token that is known by a mark inside of it: what is before, and after. */
function around(
  kind: string,
  prefix: string,
  { before, after }: { readonly before: RegExp; readonly after: RegExp },
): Anchor {
  return {
    prefix,
    find(text, at, spans) {
      const next = at + prefix.length
      const lead = before.exec(text.slice(Math.max(0, at - 16), at))
      after.lastIndex = next
      if (lead !== null && after.test(text)) {
        spans.add(at - lead[0].length, after.lastIndex, kind)
      }
      return next
    },
  }
}

const hex32 = /[0-9a-f]{32}(?![\w-])/y

export const nearTokens: readonly Anchor[] = [
  around('telegram', ':AA', {
    before: /(?<![\w-])\d{8,10}$/,
    after: /[\w-]{33}(?![\w-])/y,
  }),
  around('azure', 'Q~', {
    before: /(?<![\w~.-])[\w~.-]{3}\d$/,
    after: /[\w~.-]{31,34}(?![\w~-])/y,
  }),
  around('twilio', 'SK', { before: /(?<![\w-])$/, after: hex32 }),
  around('databricks', 'dapi', { before: /(?<![\w-])$/, after: hex32 }),
]

// The number of a bot, when it was made, and a signature, in base64.
const discordToken =
  /(?<![\w-])[MNO][ADTjz][\w-]{22,26}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g

export function findDiscordTokens(text: string, spans: Spans): void {
  for (const { index, 0: token } of text.matchAll(discordToken)) {
    spans.add(index, index + token.length, 'discord')
  }
}

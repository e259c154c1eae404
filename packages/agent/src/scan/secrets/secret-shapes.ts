import type { Spans } from '../spans.ts'
import { type Anchor, readRun } from './anchor.ts'
import { appTokens } from './app-tokens.ts'
import { curlUser, privateKey, userInfo, webToken } from './long-shapes.ts'
import { findDiscordTokens, nearTokens } from './near-tokens.ts'

const word = /[\w-]*/y
const letters = /[A-Za-z0-9]*/y
const credentials = /[\w.~+/=-]*/y

const anchors: readonly Anchor[] = [
  // Many words end in `sk-`.
  key('openai', 'sk-', word, {
    minChars: 16,
    isSecret: hasDigit,
    isWord: true,
  }),
  ...keys('anthropic', word, 8, ['sk-ant-']),
  ...keys('openai', word, 8, ['sk-proj-', 'sk-or-', 'sk-svcacct-']),
  ...keys('gitlab', word, 16, ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glft-']),
  ...keys('github', word, 16, ['github_pat_']),
  ...keys('github', letters, 16, ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_']),
  ...keys('google', word, 16, ['ya29.', 'AIza', 'GOCSPX-']),
  ...keys('slack', word, 16, ['xapp-']),
  ...keys('slack', word, 10, ['xoxa-', 'xoxb-', 'xoxe-', 'xoxp-', 'xoxr-']),
  ...keys('slack', word, 10, ['xoxs-']),
  ...keys('slack', /[\w/]*/y, 30, ['hooks.slack.com/services/']),
  ...keys('discord', /[\w/-]*/y, 60, ['discord.com/api/webhooks/']),
  ...keys('discord', /[\w/-]*/y, 60, ['discordapp.com/api/webhooks/']),
  ...keys('pypi', word, 30, ['pypi-']),
  ...keys('stripe', letters, 16, ['sk_live_', 'sk_test_', 'rk_live_']),
  ...keys('stripe', letters, 16, ['rk_test_', 'whsec_']),
  ...keys('npm', letters, 30, ['npm_']),
  ...keys('app', letters, 30, ['hf_', 'gsk_', 'xai-']),
  ...keys('aws', /[A-Z0-9]*/y, 16, ['AKIA', 'ASIA']),
  ...keys('sendgrid', /[\w.-]*/y, 32, ['SG.']),
  ...appTokens.map(([prefix, minChars]) =>
    key('app', prefix, word, { minChars }),
  ),
  ...['Bearer ', 'bearer ', 'BEARER '].map((prefix) =>
    key('bearer', prefix, credentials, {
      minChars: 8,
      isSecret: isNoWord,
      isAfter: true,
    }),
  ),
  ...['Basic ', 'basic ', 'BASIC '].map((prefix) =>
    key('basic', prefix, credentials, {
      minChars: 6,
      isSecret: isUser,
      isAfter: true,
    }),
  ),
  ...nearTokens,
  webToken,
  privateKey,
  userInfo,
  ...['-u', '--user'].map(curlUser),
]

const byPrefix = new Map(anchors.map((anchor, at) => [anchor.prefix, at]))

// The longest first, as the first that fits is taken.
const anyPrefix = new RegExp(
  [...byPrefix.keys()]
    .sort((a, b) => b.length - a.length)
    .map((prefix) => prefix.replace(/[.|]/g, '\\$&'))
    .join('|'),
  'g',
)

/**
 * Finds secrets by how they look. All beginnings are looked for in one pass;
 * what follows is read once for each kind, whether it is a secret or not, so
 * that no text makes this slow.
 */
export function findShapes(text: string, spans: Spans): void {
  let readUntil: number[] | undefined
  anyPrefix.lastIndex = 0
  for (let hit = anyPrefix.exec(text); hit; hit = anyPrefix.exec(text)) {
    const kind = byPrefix.get(hit[0]) ?? 0
    readUntil ??= anchors.map(() => 0)
    if (hit.index < (readUntil[kind] ?? 0)) continue
    readUntil[kind] = anchors[kind]?.find(text, hit.index, spans) ?? 0
  }
  findDiscordTokens(text, spans)
}

interface KeyRules {
  /** Of the run after the prefix. */
  readonly minChars: number
  readonly isSecret?: (run: string) => boolean
  /** No letter stands before it. */
  readonly isWord?: boolean
  /** The prefix is no part of the secret. */
  readonly isAfter?: boolean
}

function key(
  kind: string,
  prefix: string,
  run: RegExp,
  { minChars, isSecret, isWord, isAfter }: KeyRules,
): Anchor {
  return {
    prefix,
    find(text, at, spans) {
      const start = at + prefix.length
      if (isWord && /[a-z]/i.test(text.charAt(at - 1))) return start
      const end = readRun(text, run, start)
      const isLong = end - start >= minChars
      if (isLong && isSecret?.(text.slice(start, end)) !== false) {
        spans.add(isAfter ? start : at, end, kind)
      }
      return end
    },
  }
}

function keys(
  kind: string,
  run: RegExp,
  minChars: number,
  prefixes: readonly string[],
): readonly Anchor[] {
  return prefixes.map((prefix) => key(kind, prefix, run, { minChars }))
}

function hasDigit(run: string): boolean {
  return /\d/.test(run)
}

function isNoWord(run: string): boolean {
  return run.length > 24 || /[^a-z]/i.test(run)
}

function isUser(run: string): boolean {
  return Buffer.from(run, 'base64').includes(':')
}

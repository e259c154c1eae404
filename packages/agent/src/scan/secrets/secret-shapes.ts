import type { Spans } from '../spans.ts'
import { type Anchor, readRun } from './anchor.ts'
import { curlUser, privateKey, userInfo, webToken } from './long-shapes.ts'

const word = /[\w-]*/y
const letters = /[A-Za-z0-9]*/y
const credentials = /[\w.~+/=-]*/y

const anchors: readonly Anchor[] = [
  // Many words end in `sk-`.
  key('sk-', word, { minChars: 16, isSecret: hasDigit, isWord: true }),
  ...keys(word, 8, ['sk-ant-', 'sk-proj-', 'sk-or-', 'sk-svcacct-']),
  ...keys(word, 16, ['glpat-', 'xapp-', 'github_pat_', 'ya29.', 'AIza']),
  ...keys(word, 10, ['xoxa-', 'xoxb-', 'xoxe-', 'xoxp-', 'xoxr-', 'xoxs-']),
  ...keys(word, 30, ['pypi-']),
  ...keys(letters, 16, ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'whsec_']),
  ...keys(letters, 16, ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_']),
  ...keys(letters, 30, ['npm_', 'hf_', 'gsk_', 'xai-', 'dop_v1_']),
  ...keys(/[A-Z0-9]*/y, 16, ['AKIA', 'ASIA']),
  ...keys(/[\w.-]*/y, 32, ['SG.']),
  ...['Bearer ', 'bearer ', 'BEARER '].map((prefix) =>
    key(prefix, credentials, {
      minChars: 8,
      isSecret: isNoWord,
      isAfter: true,
    }),
  ),
  ...['Basic ', 'basic ', 'BASIC '].map((prefix) =>
    key(prefix, credentials, { minChars: 6, isSecret: isUser, isAfter: true }),
  ),
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

function key(prefix: string, run: RegExp, rules: KeyRules): Anchor {
  const { minChars, isSecret, isWord, isAfter } = rules
  return {
    prefix,
    find(text, at, spans) {
      const start = at + prefix.length
      if (isWord && /[a-z]/i.test(text.charAt(at - 1))) return start
      const end = readRun(text, run, start)
      const isLong = end - start >= minChars
      if (isLong && isSecret?.(text.slice(start, end)) !== false) {
        spans.add(isAfter ? start : at, end)
      }
      return end
    },
  }
}

function keys(
  run: RegExp,
  minChars: number,
  prefixes: readonly string[],
): readonly Anchor[] {
  return prefixes.map((prefix) => key(prefix, run, { minChars }))
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

/** Whether what has the shape of a secret is one, and no example of it. */
export function isLikely(kind: string, value: string): boolean {
  if (isExample(value)) return false
  return checks[kind]?.(value) ?? true
}

type Check = (value: string) => boolean

const checks: Readonly<Record<string, Check>> = {
  // The plain prefix also begins names such as `sk-learn-2024`.
  openai: (value) => /^sk-(?:proj|or|svcacct)-/.test(value) || hasRun(value),
  bearer: (value) => value.length >= 16 && isMixed(value),
  basic: (value) => isPrintable(Buffer.from(value, 'base64').toString()),
  url: isPassword,
  user: (value) => value.length >= 6 && isPassword(value),
  aws: (value) => /^[A-Z0-9]{20}$/.test(value) && /\d/.test(value),
  app: isMixed,
  npm: isMixed,
  pypi: isMixed,
  gitlab: (value) => value.length >= 24 && isMixed(value),
  slack: (value) => /\d/.test(value),
  google: (value) => value.length >= 28 && isMixed(value),
  stripe: isMixed,
  sendgrid: (value) => value.split('.').length === 3 && value.length > 60,
  github: (value) => value.length >= 36 && isMixed(value),
  anthropic: (value) => value.length >= 24 && isMixed(value),
  'private-key': (value) => value.length > 80,
}

/** Whether a value under such a name is a secret rather than a word or code. */
export function isLikelyNamed(name: () => string, value: string): boolean {
  if (value.length < 8) return false
  if (isExample(value) || isCode(value)) return false
  if (isRandom(value)) return !isAboutSecret.test(name())
  return isPassword(value) && isPasswordName.test(name())
}

// What says which secret, where it is, or how it is made; not the secret.
const isAboutSecret =
  /(?:id|name|ref|arn|path|file|ur[li]|uri|version|count|type|length|expires?|expiry|ttl|policy|field|label|hash|prefix|header|provider|store|manager|class|rule|hint|scope|format|algorithm|endpoint|issuer|size|limit|at|in)$/i

const isPasswordName = /(?:pass(?:word|wd|phrase|code)?|pwd|secret|pw)\d*$/i

const examples =
  /example|x{4}|0{6}|1234567|abcdef|your[-_]|placeholder|change[-_]?me|redacted|dummy|insert[-_]|my[-_](?:secret|token|key|pass)|replace[-_]|\*{3}|\.{3}|…|<|>|\{\{|\$\{|\$\(|%[sdv(]|test[-_]?(?:key|token|secret|pass)/i

function isExample(value: string): boolean {
  return examples.test(value) || new Set(value).size < 6
}

/** A reference, a call, a path or an address rather than a value. */
function isCode(value: string): boolean {
  return (
    /^[$%@#/~.[{(]/.test(value) ||
    /[()[\]{}]|::|=>|\bprocess\.|\benv\.|^https?:|^\w+:\/\//i.test(value) ||
    /^[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)+$/.test(value) ||
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value)
  )
}

/** Long, of many characters, and not made of words. */
function isRandom(value: string): boolean {
  if (value.length < 16) return false
  if (/^[0-9a-f]{32,}$/i.test(value)) return true
  const long = value.split(/[-_.:/]/).filter((part) => part.length >= 10)
  const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
  return isUuid || (long.some(isMixed) && entropy(value) >= 3)
}

/** Letters and digits, more than once beside each other, or signs. */
function isPassword(value: string): boolean {
  if (/^(?:pass(?:word)?|secret|pw|pwd|token|\*+)\d{0,4}$/i.test(value))
    return false
  const turns = value.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0
  const signs = value.match(/[!@#$%^&*+=?~]/g)?.length ?? 0
  const hasBoth = /[a-z]/i.test(value) && /\d/.test(value)
  return value.length >= 6 && hasBoth && turns + signs >= 2
}

/** Letters, digits and capitals that change more often than in words. */
function isMixed(value: string): boolean {
  const changes = value.match(/[a-z](?=[\dA-Z])|\d(?=[A-Za-z])|[A-Z](?=\d)/g)
  return /\d/.test(value) && (changes?.length ?? 0) >= 3
}

/** A part between dashes that is long and mixed. */
function hasRun(value: string): boolean {
  return value.split(/[-_]/).some((part) => part.length >= 16 && isMixed(part))
}

function isPrintable(decoded: string): boolean {
  return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(decoded)
}

/** Bits for each character. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) {
    const share = count / value.length
    bits -= share * Math.log2(share)
  }
  return bits
}

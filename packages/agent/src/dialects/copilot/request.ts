import type { JsonObject } from 'hookline/lifecycle'
import type { ForeignRequest } from '../dialect.ts'
import { isObject } from '../printed.ts'
import { textIn } from '../read-hooks-file.ts'

/** Only `https`; to this machine also without, where it is allowed. */
export function requestIn(entry: JsonObject): ForeignRequest | string {
  const url = textIn(entry, 'url')
  if (url === undefined || !URL.canParse(url)) return 'has no address'
  const { protocol, hostname } = new URL(url)
  const isNear =
    ['localhost', '[::1]'].includes(hostname) || hostname.startsWith('127.')
  const isAllowed =
    process.env['COPILOT_HOOK_ALLOW_LOCALHOST'] === '1' && isNear
  if (protocol !== 'https:' && !isAllowed) return 'has an address without https'
  const { headers, allowedEnvVars } = entry
  const names = Array.isArray(allowedEnvVars) ? allowedEnvVars : []
  return {
    type: 'http',
    url,
    headers: isObject(headers) ? textsOf(headers) : {},
    allowedEnv: names.filter((name) => typeof name === 'string'),
  }
}

function textsOf(given: JsonObject): Readonly<Record<string, string>> {
  const entries = Object.entries(given).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return Object.fromEntries(entries)
}

import { readFileSync } from 'node:fs'
import { findHome } from '../../server/find-home.ts'
import { CliError } from '../cli-error.ts'
import type { GivenOptions } from '../given-options.ts'

export interface FindOptions {
  readonly options: GivenOptions
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Where a daemon may be reached, and with which token. */
export type DaemonPlace = (
  | { readonly socket: string }
  | { readonly url: string }
) & { readonly token: string }

/** As the words and the environment say; undefined: there was never one. */
export function findDaemon({
  options,
  env,
}: FindOptions): DaemonPlace | undefined {
  const url = checkUrl(options.text('url') ?? env['HOOKLINE_URL'] ?? '')
  const tokenFile = options.text('tokenFile') ?? env['HOOKLINE_TOKEN_FILE']
  const given = tokenFile ? readToken(tokenFile) : undefined
  const home = findHome({ path: options.text('home'), env })
  const token = given ?? home?.token
  if (url !== undefined) {
    if (token === undefined) throw missingToken(url)
    return { url, token }
  }
  if (token === undefined || home === undefined) return undefined
  return { socket: home.socket, token }
}

function readToken(file: string): string {
  try {
    const token = readFileSync(file, 'utf8').trim()
    if (/^\S{16,}$/.test(token)) return token
  } catch (cause) {
    const message = `The file of the token, "${file}", cannot be read.`
    const hint = 'Name another with --token-file or HOOKLINE_TOKEN_FILE.'
    throw new CliError('usage', message, { cause, hint })
  }
  throw new CliError('usage', `The file "${file}" holds no token.`, {
    hint: '"hookline principals create" prints one; write it, and nothing else, into a file.',
  })
}

function checkUrl(url: string): string | undefined {
  if (url === '') return undefined
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isHttp = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  if (parsed === undefined || !isHttp) {
    throw new CliError('usage', `"${url}" is no address of a daemon.`, {
      hint: 'It begins with http:// or https://, such as http://127.0.0.1:4711.',
    })
  }
  if (parsed.username === '' && parsed.password === '') return url
  const message = 'An address with a user or a password in it is not used.'
  throw new CliError('usage', message, {
    hint: 'Write the token into a file, and name that with --token-file.',
  })
}

function missingToken(url: string): CliError {
  const message = `There is no token for the daemon at "${url}".`
  const hint = 'Name the file that holds it with --token-file.'
  return new CliError('usage', message, { hint })
}

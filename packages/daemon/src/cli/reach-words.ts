import { resolve } from 'node:path'
import { quoted } from './completion/shell-cases.ts'
import type { GivenOptions } from './given-options.ts'

/** What another command has to be told so that it asks the same daemon. */
export function reachWords(options: GivenOptions): string {
  const home = options.text('home')
  const tokenFile = options.text('tokenFile')
  const given = [
    ['--home', home && resolve(home)],
    ['--url', options.text('url')],
    ['--token-file', tokenFile && resolve(tokenFile)],
  ] as const
  return given
    .map(([flag, value]) => (value ? ` ${flag} ${shellWord(value)}` : ''))
    .join('')
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text)
}

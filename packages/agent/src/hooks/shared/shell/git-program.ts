import type { Inner } from './inner.ts'
import { optionValues } from './options.ts'
import {
  afterFlags,
  code,
  codeWhere,
  command,
  joined,
  type Special,
  script,
  scriptsOf,
} from './special.ts'
import { any, type Word } from './word.ts'

/** Settings that run nothing, whatever their value. */
const harmlessSetting =
  /^(?:user\.|color\.|core\.(?:quotepath|autocrlf|longpaths|abbrev|ignorecase|filemode|safecrlf|whitespace)=|advice\.|commit\.gpgsign|tag\.gpgsign|init\.defaultbranch|http\.|gc\.(?!recentobjectshook)|fetch\.|pull\.|push\.|merge\.(?:conflictstyle|ff|renamelimit)|diff\.(?:renames|algorithm|renamelimit|noprefix)=|log\.|safe\.directory|protocol\.version|rebase\.auto|submodule\.(?:recurse|fetchjobs)|url\.|branch\.|column\.|status\.|rerere\.)/i

const riskySetting =
  /^(?:alias\.|pager\.|include|core\.(?:pager|editor|sshcommand|hookspath|fsmonitor|askpass|gitproxy|alternaterefscommand|attributesfile)$|protocol\.ext|init\.templatedir|diff\.external|sequence\.editor|[\w-]+\.(?:[^/\s]*\.)?\w*(?:helper|command|cmd|textconv|clean|smudge|process|driver|program|hook|difffilter|uploadpack|receivepack|smtpserver)$)/i

const riskyOption =
  /^ext::|^--(?:upload|receive)-pack|^--exec-path=|^--template(?:=|$)|^--open-files-in-pager|^--(?:httpd|smtp-server)=/

const filters = scriptsOf(
  ...['--tree-filter', '--index-filter', '--msg-filter', '--env-filter'],
  ...['--commit-filter', '--tag-name-filter', '--extcmd', '-x'],
)

/** The words after a word. */
function after(words: readonly Word[], name: string): readonly Word[] {
  const at = words.findIndex(({ text }) => text === name)
  return at < 0 ? [] : words.slice(at + 1)
}

/** What commands of git run, by their names. */
const commands: readonly (readonly [string, Special])[] = [
  ['config', codeWhere(riskySetting)],
  ['rebase', scriptsOf('-x', '--exec')],
  ['grep', codeWhere(/^-\w*O./)],
  ['archive', codeWhere(/^--exec/)],
  ['filter-branch', filters],
  ['difftool', filters],
  [
    'bisect',
    (words) => {
      const run = after(words, 'run')
      return run.length > 0 ? [command(run)] : []
    },
  ],
  ['foreach', (words) => [script(joined(afterFlags(after(words, 'foreach'))))]],
]

/** Git runs what its settings, its options and some of its commands say. */
export const git: Special = (words, input) => {
  const [, ...args] = words
  const set = optionValues(args, ['-c', '--config-env', '--config'])
  const isSet = set.some(
    ({ text }) => text.includes('=') && !harmlessSetting.test(text),
  )
  // Where the name of the command stands is up to options that may be new.
  const named = commands.filter(([name]) =>
    args.some(({ text }) => text === name),
  )
  return [
    ...args.flatMap(({ text }) => shellAlias(text)),
    ...codeWhere(riskyOption)(words, input),
    ...(isSet ? [code('a setting of git')] : []),
    ...named.flatMap(([, special]) => special(words, input)),
  ]
}

/** `!script`, as a value or on its own. */
function shellAlias(text: string): readonly Inner[] {
  const [, shell] = /^(?:[\w.]+=)?!([\s\S]*)$/.exec(text) ?? []
  const isAlias = shell !== undefined && !text.includes('pathspec')
  return isAlias ? [script(`${shell} ${any}`)] : []
}

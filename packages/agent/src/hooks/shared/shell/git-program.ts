import { optionValues } from './options.ts'
import {
  afterFlags,
  code,
  command,
  joined,
  type Special,
  script,
} from './special.ts'
import { any } from './word.ts'

const harmlessSetting =
  /^(?:user\.|color\.|core\.(?:quotepath|autocrlf|longpaths|abbrev|ignorecase|filemode|safecrlf|whitespace)=|advice\.|commit\.gpgsign|tag\.gpgsign|init\.defaultbranch|http\.|gc\.(?!recentobjectshook)|fetch\.|pull\.|push\.|merge\.(?:conflictstyle|ff|renamelimit)|diff\.(?:renames|algorithm|renamelimit|noprefix)=|log\.|safe\.directory|protocol\.version|rebase\.auto|submodule\.(?:recurse|fetchjobs)|url\.|branch\.|column\.|status\.|rerere\.)/i

/** Git runs what its settings, its options and some of its commands say. */
export const git: Special = (words) => {
  const [, ...args] = words
  const texts = args.map(({ text }) => text)
  const after = (name: string) => args.slice(texts.indexOf(name) + 1)
  const set = optionValues(args, ['-c', '--config-env', '--config'])
  return [
    ...texts.flatMap((text) => {
      const [, shell] = /^(?:[\w.]+=)?!([\s\S]*)$/.exec(text) ?? []
      if (shell !== undefined && !text.includes('pathspec')) {
        return [script(`${shell} ${any}`)]
      }
      const isRemote =
        /^ext::|^--(?:upload|receive)-pack|^--exec-path=|^--template(?:=|$)|^--open-files-in-pager|^--(?:httpd|smtp-server)=/
      return isRemote.test(text) ? [code('what git is told to run')] : []
    }),
    ...set.flatMap(({ text }) =>
      /=/.test(text) && !harmlessSetting.test(text)
        ? [code('a setting of git')]
        : [],
    ),
    ...(texts.includes('rebase')
      ? optionValues(args, ['-x', '--exec']).map(({ text }) => script(text))
      : []),
    ...(texts.includes('grep') && texts.some((text) => /^-\w*O./.test(text))
      ? [code('what git grep is told to run')]
      : []),
    ...(texts.includes('archive') && texts.some((text) => /^--exec/.test(text))
      ? [code('what git archive is told to run')]
      : []),
    ...(texts.includes('bisect') && texts.includes('run')
      ? [command(after('run'))]
      : []),
    ...(texts.includes('foreach')
      ? [script(joined(afterFlags(after('foreach'))))]
      : []),
    ...(texts.includes('filter-branch') || texts.includes('difftool')
      ? optionValues(args, [
          ...['--tree-filter', '--index-filter', '--msg-filter', '-x'],
          ...[
            '--env-filter',
            '--commit-filter',
            '--extcmd',
            '--tag-name-filter',
          ],
        ]).map(({ text }) => script(text))
      : []),
    ...(texts.includes('config') && texts.some(isRiskySetting)
      ? [code('a setting of git')]
      : []),
  ]
}

const isRiskySetting = (text: string) =>
  /^(?:alias\.|core\.(?:pager|editor|sshcommand|hookspath|fsmonitor|askpass|gitproxy|alternaterefscommand|attributesfile)|pager\.|protocol\.ext|init\.templatedir|.*(?:helper|command|cmd|textconv|clean|smudge|process|driver|program|hook|difffilter|uploadpack|receivepack|smtpserver)$|diff\.external|sequence\.editor|include)/i.test(
    text,
  )

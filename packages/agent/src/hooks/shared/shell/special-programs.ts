import type { Inner } from './inner.ts'
import { optionValues } from './options.ts'
import type { Input } from './outputs.ts'
import { loadsCode, runsItsValue } from './risky-variables.ts'
import { any, isBelowHere, knownWord, type Word } from './word.ts'

type Special = (words: readonly Word[], input: Input) => readonly Inner[]

const script = (text: string): Inner => ({ type: 'script', text })
const code = (what: string): Inner => ({ type: 'code', what })
const command = (words: readonly Word[]): Inner => ({ type: 'command', words })

const joined = (words: readonly Word[]) =>
  words.map(({ text }) => text).join(' ')

/** The values of options, which are scripts. */
const scriptsOf =
  (...names: readonly string[]): Special =>
  (words) =>
    optionValues(words.slice(1), names).map(({ text }) => script(text))

/** Options by which a program runs what it is given. */
const codeWhere =
  (pattern: RegExp): Special =>
  ([program, ...args]) =>
    args.some(({ text }) => pattern.test(text))
      ? [code(`what ${program?.text} is told to run`)]
      : []

const afterFlags = (words: readonly Word[]) => {
  const start = words.findIndex(({ text }) => !text.startsWith('-'))
  return start < 0 ? [] : words.slice(start)
}

const wholeScript: Special = ([, ...args]) => {
  const words = args[0]?.text === '--' ? args.slice(1) : args
  return words.length === 0 ? [] : [script(joined(words))]
}

const sourced: Special = ([, file], input) => {
  if (file === undefined || !/^\/(?:dev|proc)\//.test(file.text)) return []
  return input.type === 'text' ? [script(input.text)] : [code('a stream')]
}

const readsScript: Special = (_, input) =>
  input.type === 'text' ? [script(input.text)] : []

const readsCode: Special = ([program], input) =>
  input.type === 'text' ? [code(`what ${program?.text} reads`)] : []

/** `find … -exec rm {} ;`: each command ends with `;` or `+`. */
const found: Special = ([, ...args]) => {
  const start = args.findIndex(({ text }) => /^[-(!]/.test(text))
  const roots = start < 0 ? args : args.slice(0, start)
  const isBelow = roots.every(({ text }) => isBelowHere(text))
  const text = isBelow ? `./${any}` : (roots[0]?.text ?? '') + any
  const name: Word = { text, isMany: true, isNames: true }
  return args.flatMap(({ text: flag }, index): Inner[] => {
    if (flag === '-delete') {
      const folder = isBelow ? knownWord('.') : (roots[0] ?? name)
      return [command([knownWord('find-delete'), folder])]
    }
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(flag)) return []
    const rest = args.slice(index + 1)
    const end = rest.findIndex(({ text: one }) => one === ';' || one === '+')
    const words = end < 0 ? rest : rest.slice(0, end)
    return [
      command(
        words.map((word) =>
          word.text.includes('{}')
            ? { ...name, text: word.text.replaceAll('{}', text) }
            : word,
        ),
      ),
    ]
  })
}

const harmlessSetting =
  /^(?:user\.|color\.|core\.(?:quotepath|autocrlf|longpaths|abbrev|ignorecase|filemode|safecrlf|whitespace)=|advice\.|commit\.gpgsign|tag\.gpgsign|init\.defaultbranch|http\.|gc\.|fetch\.|pull\.|push\.|merge\.(?:conflictstyle|ff|renamelimit)|diff\.(?:renames|algorithm|renamelimit|noprefix)=|log\.|safe\.directory|protocol\.version|rebase\.auto|submodule\.(?:recurse|fetchjobs)|url\.|branch\.|column\.|status\.|rerere\.)/i

const git: Special = (words) => {
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
      const isRemote = /^ext::|^--(?:upload|receive)-pack|^--exec-path=/
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
    ...(texts[0] === 'config' && texts.some(isRiskySetting)
      ? [code('a setting of git')]
      : []),
  ]
}

const isRiskySetting = (text: string) =>
  /^(?:alias\.|core\.(?:pager|editor|sshcommand|hookspath|fsmonitor|askpass)|.*\.(?:helper|command|cmd|textconv|clean|smudge|process|driver|program)$|diff\.external|sequence\.editor|include)/i.test(
    text,
  )

/** `ssh host command`: the rest is a script there. */
const ssh: Special = (words) => {
  const args = words.slice(1)
  let at = 0
  while (/^-/.test(args[at]?.text ?? '')) {
    at += /^-[BbcDEeFIiJLlmOopQRSWw]$/.test(args[at]?.text ?? '') ? 2 : 1
  }
  const rest = args.slice(at + 1)
  const isProxy = args.some(({ text }) =>
    /(?:ProxyCommand|LocalCommand|KnownHostsCommand|PermitLocal)/i.test(text),
  )
  return [
    ...(rest.length > 0 ? [script(joined(rest))] : []),
    ...(isProxy ? [code('what ssh is told to run')] : []),
  ]
}

const declared: Special = ([, ...args]) =>
  args.flatMap(({ text }) => {
    const [, name, value = ''] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text) ?? []
    if (name === undefined) return []
    if (runsItsValue(name)) return [script(value)]
    return loadsCode(name) ? [code(`code by ${name}`)] : []
  })

const isHelp = (text: string) => /^(?:-l|-p|--|-)$/.test(text)

const trapped: Special = ([, ...args]) => {
  const first = args.find(({ text }) => !isHelp(text))
  return first === undefined ? [] : [script(first.text)]
}

/** Programs that have others run in ways of their own. */
export const specialPrograms: ReadonlyMap<string, Special> = new Map<
  string,
  Special
>([
  ['eval', wholeScript],
  ['source', sourced],
  ['.', sourced],
  ['trap', trapped],
  ['find', found],
  ['gfind', found],
  ['fd', scriptsOf('-x', '-X', '--exec', '--exec-batch')],
  ['git', git],
  ['ssh', ssh],
  ['export', declared],
  ['declare', declared],
  ['typeset', declared],
  ['readonly', declared],
  ['local', declared],
  ['env', scriptsOf('-S', '--split-string')],
  ['su', scriptsOf('-c', '--command', '--session-command')],
  ['runuser', scriptsOf('-c', '--command')],
  ['sg', scriptsOf('-c')],
  ['newgrp', scriptsOf('-c')],
  ['script', scriptsOf('-c', '--command')],
  ['flock', scriptsOf('-c', '--command')],
  ['npx', scriptsOf('-c', '--call')],
  ['npm', scriptsOf('-c', '--call')],
  ['nix-shell', scriptsOf('--run', '--command')],
  ['watch', (words) => [script(joined(words.slice(-1)))]],
  ['ed', readsCode],
  ['ex', readsCode],
  ['at', readsScript],
  ['batch', readsScript],
  ['crontab', readsScript],
  ['parallel', readsScript],
  ['tmux', (words) => words.slice(2).map(({ text }) => script(text))],
  ['screen', (words) => words.slice(1).map(({ text }) => script(text))],
  ['entr', scriptsOf('-s')],
  [
    'tar',
    codeWhere(/^--(?:checkpoint-a|to-c|use-c|rsh-c|info-s|new-v)|^-\w*[IF]/),
  ],
  ['rsync', codeWhere(/^--rs?h?|^--rsync-path|^-\w*e/)],
  ['zip', codeWhere(/^-\w*T|^--unzip-c/)],
  ['make', codeWhere(/^--eval|^-f-?$|^SHELL=|^\.SHELLFLAGS=/)],
  ['gmake', codeWhere(/^--eval|^SHELL=/)],
  ['man', codeWhere(/^-\w*[PH]|^--(?:pager|html)/)],
  ['less', codeWhere(/^\+/)],
  ['psql', codeWhere(/\\!|\bPROGRAM\b|\\copy.*program/i)],
  ['mysql', codeWhere(/\\!|(?:^|\s)system\s/i)],
  ['sqlite3', codeWhere(/\.(?:shell|system|load|output|once)|edit\(/)],
  ['socat', codeWhere(/exec:|system:/i)],
  ['nc', codeWhere(/^-\w*[ec]|^--(?:exec|sh-exec)/)],
  ['ncat', codeWhere(/^-\w*[ec]|^--(?:exec|sh-exec|lua-exec)/)],
  ['netcat', codeWhere(/^-\w*[ec]/)],
  ['nmap', codeWhere(/^--script|^--interactive/)],
  ['tcpdump', codeWhere(/^-\w*z/)],
  ['wget', codeWhere(/^--use-askpass/)],
  ['scp', codeWhere(/^-\w*S|ProxyCommand/i)],
  ['sftp', codeWhere(/^-\w*S|ProxyCommand/i)],
  ['enable', codeWhere(/^-\w*f/)],
  ['hash', codeWhere(/^-\w*p/)],
  ['bind', codeWhere(/^-\w*x/)],
  ['complete', codeWhere(/^-\w*C/)],
  ['compgen', codeWhere(/^-\w*C/)],
  ['mapfile', codeWhere(/^-\w*C/)],
  ['readarray', codeWhere(/^-\w*C/)],
  ['fc', codeWhere(/^-\w*[es]/)],
  ['gcc', codeWhere(/^-wrapper/)],
  ['openssl', codeWhere(/^-?engine$/)],
  ['dotnet-script', codeWhere(/^eval$/)],
  ['deno', codeWhere(/^eval$/)],
  ['run-parts', codeWhere(/./)],
  ['zmodload', codeWhere(/./)],
  ['php-cgi', codeWhere(/./)],
  ['cmake', codeWhere(/^-P$/)],
  ['sed', codeWhere(/^-s?f(?:\/dev\/|$)/)],
])

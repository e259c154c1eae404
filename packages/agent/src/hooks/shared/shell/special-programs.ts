import { git } from './git-program.ts'
import type { Inner } from './inner.ts'
import { optionValues } from './options.ts'
import { settingsIn } from './risky-variables.ts'
import { searchPrograms } from './search-programs.ts'
import {
  afterFlags,
  code,
  codeWhere,
  joined,
  type Special,
  script,
  scriptsOf,
} from './special.ts'
import { knownWord, type Word } from './word.ts'

const wholeScript: Special = ([, ...args]) => {
  const words = args[0]?.text === '--' ? args.slice(1) : args
  return words.length === 0 ? [] : [script(joined(words))]
}

const sourced: Special = ([, file], input) => {
  if (file === undefined) return []
  if (!/^\/(?:dev|proc)\//.test(file.text)) {
    return [{ type: 'file', path: file.text, by: '.' }]
  }
  return input.type === 'text' ? [script(input.text)] : [code('a stream')]
}

const readsScript: Special = (_, input) =>
  input.type === 'text' ? [script(input.text)] : []

/** The same where a text comes through a pipe. */
const alsoRead =
  (pattern: RegExp): Special =>
  (words, input) => {
    const isRead = input.type === 'text' && pattern.test(input.text)
    if (isRead) return [code(`what ${words[0]?.text} reads`)]
    return codeWhere(pattern)(words, input)
  }

const readsCode: Special = ([program], input) =>
  input.type === 'text' ? [code(`what ${program?.text} reads`)] : []

const sshValues = /^-[BbcDEeFIiJLlmOopQRSWw]$/

/** `ssh host command`: the rest is a script there. */
const ssh: Special = (words) => {
  const [, ...args] = words
  const [, ...after] = afterFlags(args, sshValues)
  // Options can stand after the host, too.
  const rest = afterFlags(after, sshValues)
  const isProxy = args.some(({ text }) =>
    /(?:ProxyCommand|LocalCommand|KnownHostsCommand|PermitLocal)/i.test(text),
  )
  return [
    ...(rest.length > 0 ? [script(joined(rest))] : []),
    ...(isProxy ? [code('what ssh is told to run')] : []),
  ]
}

/** `env -S "one text"`, also behind other letters. */
const splitString: Special = ([, ...args]) =>
  args.flatMap(({ text }, index) => {
    const found =
      /^-[a-zA-Z0]*S([\s\S]*)$/.exec(text) ??
      /^--split-string(?:=([\s\S]*))?$/.exec(text)
    if (found === null) return []
    return [script(`${found[1] ?? ''} ${joined(args.slice(index + 1))}`)]
  })

/** The values of a letter that stands last among others. */
const lastLetter = (words: readonly Word[], letter: string) =>
  words.flatMap(({ text }, index) =>
    /^-\w+$/.test(text) && text.endsWith(letter)
      ? words.slice(index + 1, index + 2)
      : [],
  )

/** `script -qc "command" file`, and `script -q file command` elsewhere. */
const scripted: Special = ([, ...args], input) => {
  const [, ...command] = afterFlags(args)
  return [
    ...lastLetter(args, 'c').map(({ text }) => script(text)),
    ...scriptsOf('--command')(args, input),
    ...(command.length > 0 ? [script(joined(command))] : []),
  ]
}

const declared: Special = ([, ...args]) => settingsIn(args)

/** Modules of Python that run the code in their arguments. */
const pythonModule: Special = ([, ...args]) => {
  const at = args.findIndex(({ text }) => /^-\w*m$/.test(text))
  const name = args[at + 1]?.text ?? ''
  const isRunner = /^(?:timeit|pdb|code|asyncio|idlelib|trace|runpy)$/
  return at >= 0 && isRunner.test(name) ? [code(`what ${name} is told`)] : []
}

const makefiles = ['Makefile', 'makefile', 'GNUmakefile'].map(knownWord)

const makes: Special = (words, input) => {
  const given = optionValues(words.slice(1), ['-f', '--file', '--makefile'])
  const files = [...makefiles, ...given]
  const isRead = given.some(({ text }) => /^-|^\/(?:dev|proc)\//.test(text))
  return [
    ...(isRead ? [code('what make reads')] : []),
    ...codeWhere(/^--eval|^-E|^SHELL=|^\.SHELLFLAGS=/)(words, input),
    ...files.map(
      ({ text: path }): Inner => ({ type: 'file', path, by: 'make' }),
    ),
  ]
}

/** Any word may be one, and most are not. */
const eachScript: Special = ([, ...args]) =>
  args.flatMap(({ text }) => (/^-/.test(text) ? [] : [script(text)]))

const remoteShell: Special = (words, input) => [
  ...lastLetter(words, 'e').map(({ text }) => script(text)),
  ...scriptsOf('--rsh')(words, input),
  ...codeWhere(/^--rsync-p|^-e.|^--rs?$/)(words, input),
]

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
  ...searchPrograms,
  ['git', git],
  ['ssh', ssh],
  ['export', declared],
  ['declare', declared],
  ['typeset', declared],
  ['readonly', declared],
  ['local', declared],
  ['env', splitString],
  ['su', scriptsOf('-c', '--command', '--session-command')],
  ['runuser', scriptsOf('-c', '--command')],
  ['perl', codeWhere(/^-[mM][\w:]*[^\w:=,'-]/)],
  ['strace', codeWhere(/^-o[|!]|^[|!]/)],
  ['sg', (words) => [script(joined(words.slice(-1)))]],
  ['newgrp', scriptsOf('-c')],
  ['script', scripted],
  ['flock', scriptsOf('-c', '--command')],
  ['npx', scriptsOf('-c', '--call')],
  ['npm', scriptsOf('-c', '--call')],
  ['nix-shell', scriptsOf('--run', '--command')],
  ['watch', (words) => [script(joined(words.slice(-1)))]],
  ...'vim nvim vi view gvim rvim ex less more'
    .split(' ')
    .map((name): [string, Special] => [name, codeWhere(/^\+(?![\dgG/]|$)/)]),
  ['ed', readsCode],
  ['at', readsScript],
  ['batch', readsScript],
  ['crontab', readsScript],
  ['tmux', eachScript],
  ['screen', eachScript],
  ['entr', scriptsOf('-s')],
  [
    'tar',
    codeWhere(/^--(?:checkpoint-a|to-c|use-c|rsh-c|info-s|new-v)|^-\w*[IF]/),
  ],
  ['rsync', remoteShell],
  ['zip', codeWhere(/^-\w*T|^--unzip-c/)],
  ['make', makes],
  ['gmake', makes],
  ['man', codeWhere(/^-\w*[PH]|^--(?:pager|html)/)],
  ['psql', alsoRead(/\\!|\bPROGRAM\b|\\copy.*program/i)],
  ['mysql', alsoRead(/\\!|(?:^|\s)system\s/i)],
  ['sqlite3', alsoRead(/\.(?:shell|system|load|output|once)|edit\(/)],
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
  ['nano', codeWhere(/^-\w*s|^--speller/)],
  ['split', codeWhere(/^--filter/)],
  ['sort', codeWhere(/^--compress-prog/)],
  ['gnuplot', codeWhere(/^-e$/)],
  ['go', codeWhere(/^-(?:-)?(?:exec|toolexec)/)],
  ['dc', alsoRead(/!/)],
  ['bc', alsoRead(/!/)],
  ['ftp', alsoRead(/!/)],
  ['capsh', codeWhere(/^-c$/)],
  ['elinks', codeWhere(/^-eval/)],
  ['run-parts', codeWhere(/./)],
  ['zmodload', codeWhere(/./)],
  ['php-cgi', codeWhere(/./)],
  ['cmake', codeWhere(/^-P$/)],
  ['python', pythonModule],
  ['python3', pythonModule],
  ['sed', codeWhere(/^-[nrEsuz]*f|^--file/)],
  ['gsed', codeWhere(/^-[nrEsuz]*f|^--file/)],
])

import { any } from './word.ts'

export interface Interpreter {
  /** The letter after a dash, or the long option, that code follows. */
  readonly code: RegExp
  /** Letters that other values follow. */
  readonly values?: string
  /** An option that names a file with code; in a group: the name, or nothing. */
  readonly files?: RegExp
  /** The first operand is code. */
  readonly isFirst?: boolean
  /** Code can come by a pipe. */
  readonly readsInput?: boolean
}

const readsInput = true
const eval_ = /(?<=^-\w*)[eE]|^--e(?:val|xecute|xec)?$/
const likeNode: Interpreter = {
  code: /(?<=^-\w*)[ep]|^--(?:eval|print)$/,
  files:
    /^(?:--(?:require|import|loader|experimental-loader)(?:=|$)|-r$)(.*)$/s,
}
const likeVim: Interpreter = { code: /(?<=^-\w*)c|^--cmd$/, values: 'uUiTwWS' }
const likeAwk: Interpreter = {
  code: /^-e$|^--(?:source|exec)$/,
  values: 'vF',
  files: /^(?:-[fEil]|--(?:file|exec|include|load)(?:=|$))(.*)$/s,
  isFirst: true,
}
const likeSed: Interpreter = {
  code: /(?<=^-\w*)e|^--expression$/,
  values: 'fl',
  isFirst: true,
}

export const interpreters: ReadonlyMap<string, Interpreter> = new Map<
  string,
  Interpreter
>([
  ['python', { code: /(?<=^-\w*)c/, values: 'WX', readsInput }],
  ['pypy', { code: /(?<=^-\w*)c/, values: 'WX', readsInput }],
  ['perl', { code: eval_, readsInput }],
  ['rake', { code: /(?<=^-\w*)[eE]|^--execute/ }],
  ['ruby', { code: /(?<=^-\w*)e/, values: 'rI', readsInput }],
  ['node', { ...likeNode, readsInput }],
  ['bun', likeNode],
  ['tsx', likeNode],
  ['ts-node', likeNode],
  ['zx', likeNode],
  ['php', { code: /(?<=^-\w*)[rBRE]|^--run$/, readsInput }],
  ['lua', { code: /(?<=^-\w*)e/, readsInput }],
  ['luajit', { code: /(?<=^-\w*)e/, readsInput }],
  ['osascript', { code: /(?<=^-\w*)e/, readsInput }],
  ['rscript', { code: /(?<=^-\w*)e/, readsInput }],
  ['r', { code: /(?<=^-\w*)e/, readsInput }],
  ['julia', { code: eval_, readsInput }],
  ['elixir', { code: eval_ }],
  ['erl', { code: /^-eval$/ }],
  ['ghc', { code: /(?<=^-)e/ }],
  ['scala', { code: /(?<=^-\w*)e/ }],
  ['groovy', { code: /(?<=^-\w*)e/ }],
  ['guile', { code: /(?<=^-\w*)c/ }],
  ['racket', { code: /(?<=^-\w*)e/ }],
  ['sbcl', { code: /^--eval$/, readsInput }],
  ['emacsclient', { code: /^-e$|^--eval$/ }],
  ['emacs', { code: /^--?(?:eval|execute|f|funcall|l|load)$/ }],
  ...'vim nvim vi view gvim rvim rview vimdiff nvimdiff'
    .split(' ')
    .map((name): [string, Interpreter] => [name, likeVim]),
  ['ex', { ...likeVim, readsInput }],
  ['ed', { code: /^-$/, readsInput }],
  ['tclsh', { code: /^-$/, readsInput }],
  ['expect', { code: /(?<=^-\w*)c/, readsInput }],
  ['gdb', { code: /^--?(?:ex|eval-command|iex)$/ }],
  ['awk', likeAwk],
  ['gawk', likeAwk],
  ['mawk', likeAwk],
  ['nawk', likeAwk],
  ['sed', likeSed],
  ['gsed', likeSed],
  ['jshell', { code: /^-$/, readsInput }],
  ['irb', { code: /^-$/, readsInput }],
  ['sqlite', { code: /^--?cmd$/, readsInput: false }],
])

/** Whether code is of the few kinds that only compute and print. */
export function isSafeCode(name: string, code: string): boolean {
  if (code.includes(any)) return false
  if (/awk$/.test(name)) return isSafeAwk(code)
  if (/sed$/.test(name)) return isSafeSed(code)
  if (
    /^(?:[gr]?n?vi(?:m|ew|mdiff)?|r?view|ex|ed|emacs(?:client)?|gdb)$/.test(
      name,
    )
  )
    return false
  return isSafeScript(code)
}

/** Awk runs commands by `system`, by pipes and by `getline`. */
function isSafeAwk(code: string): boolean {
  if (/system|getline|@|\|&|close\s*\(/.test(code)) return false
  return !/print[^;}\n]*(?:\|(?!\|)|>)/.test(code)
}

/** The commands `e`, `w` and `r` of sed, and the flags of the same names. */
function isSafeSed(code: string): boolean {
  if (/(?:^|[;{}\n!\d$,/])\s*[ewWrR](?:\s|$|;)/.test(code)) return false
  return !/[^\w\s][gpiIMm\d]*[ew][gpiIMmew\d]*\s*(?:$|[;}\n]|[\s][/~.\w])/.test(
    code.replace(/\\./g, '__'),
  )
}

const harmless = new Set(
  `print println printf puts echo console log info error warn import from as json
  sys version version_info platform math re datetime now isoformat time strftime
  date today len range sum min max abs round sorted reversed list dict set tuple
  str int float bool type repr join split strip replace upper lower format dumps
  loads parse stringify JSON Math floor ceil random sqrt pi Date toISOString
  length map filter reduce slice sort keys values entries Object Array Number
  String Boolean const let var for in of if else and or not True False None true
  false null undefined return lambda with while do end my say use strict warnings
  indent numpy np pandas pd torch requests django flask pytest typing collections
  Counter itertools functools statistics mean median uuid uuid4 string x y i j k n
  a b c d s v e f l t __version__ cuda is_available argv stdin executable path
  node versions arch dependencies devDependencies scripts name main engines exports
  to_s inspect each chars reverse puts p pp RUBY_VERSION PHP_VERSION phpversion
  input read line lines nodeVersion toString toFixed toUpperCase padStart repeat
  ensure_ascii sort_keys separators get items count index find hello world`.split(
    /\s+/,
  ),
)

/** Strings that hold code, and ways to names that are not written down. */
const hidesCode =
  /[\\`]|[$#@]\{|\{\s*\$|%x|<<|\b[fF][rR]?['"]|\b[rR][fF]['"]|constructor|__(?!version__)(?<!__version__)/

/** Words it does not know, escapes and computed names: not safe. */
function isSafeScript(code: string): boolean {
  if (code.length > 2_000 || hidesCode.test(code)) return false
  const plain = code
    .replace(/^s\/[^/$@{]*\/[^/$@{]*\/[gims]*;?$/, '')
    .replace(/require\((['"])\.{0,2}[\w./@-]*\.json\1\)/g, 'x')
    .replaceAll('json.load(sys.stdin)', 'x')
    .replace(/\bprocess\.(?:versions?|platform|arch|pid)\b/g, 'x')
    .replace(/\[\s*(?:-?\d*:?-?\d*|(['"])[\w-]*\1)\s*\]/g, '')
    .replace(/'[^']*'|"[^"]*"/g, "''")
  if (/['"]/.test(plain.replaceAll("''", ''))) return false
  if (/[\])}'\w]\s*\[/.test(plain)) return false
  const words = plain.match(/[\p{L}_$@][\p{L}\p{N}_$]*/gu) ?? []
  return words.every((word) => harmless.has(word))
}

import type { Inner } from './inner.ts'
import type { Word } from './word.ts'

/** Variables whose values programs run. */
const run =
  /^(?:PROMPT_COMMAND|PS0|PS4|GIT_SSH(?:_COMMAND)?|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|LESSOPEN|LESSCLOSE|LESSEDIT|BROWSER|FCEDIT|MAILCAPS|SVN_SSH|(?:\w+_)?(?:PAGER|ASKPASS|VISUAL|RSH)|\w*EDITOR|MANPAGER)$/

/** Variables whose values say what code programs load. */
const load =
  /^(?:BASH_ENV|ENV|LD_\w+|DYLD_\w+|GCONV_PATH|GCC_EXEC_PREFIX|COMPILER_PATH|PYTHONSTARTUP|PYTHONPATH|PERL5\w*|PERLLIB|RUBYOPT|RUBYLIB|NODE_OPTIONS|NODE_PATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|DOTNET_STARTUP_HOOKS|ERL_\w*FLAGS|ELIXIR_ERL_OPTIONS|LUA_INIT\w*|R_PROFILE\w*|R_ENVIRON\w*|PHPRC|PHP_INI_SCAN_DIR|OPENSSL_CONF|BASH_FUNC\w*|BASH_LOADABLES_PATH|GIT_CONFIG\w*|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|SHELLOPTS|BASHOPTS|CDPATH|ZDOTDIR|TAR_OPTIONS|RIPGREP_CONFIG_PATH|G?N?U?MAKEFLAGS|RUSTC(?:_WRAPPER|_WORKSPACE_WRAPPER)?|CARGO_BUILD_RUSTC\w*|VIMINIT|EXINIT|GVIMINIT|MYVIMRC|LESSKEY\w*|MANOPT|npm_config_script_shell)$/i

/** A script is in its value. */
export const runsItsValue = (name: string): boolean => run.test(name)

/** Its value decides what code other programs load. */
export const loadsCode = (name: string): boolean => load.test(name)

/** What is run by words such as `NAME=value`. */
export function settingsIn(words: readonly Word[]): readonly Inner[] {
  return words.flatMap(({ text }): Inner[] => {
    const [, name, value = ''] =
      /^([A-Za-z_]\w*)(?:%%|\(\))?=([\s\S]*)$/.exec(text) ?? []
    if (name === undefined) return []
    if (runsItsValue(name)) return [{ type: 'script', text: value }]
    return loadsCode(name) ? [{ type: 'code', what: `code by ${name}` }] : []
  })
}

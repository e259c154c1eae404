import { runTagVariable } from './run-tag.ts'

export interface EnvGrants {
  /** Variables of ours that it gets beside the harmless ones. */
  readonly names?: readonly string[] | undefined
  /** Variables that are set for it, as they are. */
  readonly setEnv?: Readonly<Record<string, string>> | undefined
  /** The definition is of a layer that may set any variable; default false. */
  readonly isTrusted?: boolean | undefined
}

export interface BuiltEnv {
  readonly env: Record<string, string>
  /** Names that were asked for and are not in it, because they steer code. */
  readonly dropped: readonly string[]
}

/**
 * The whole environment of a command: what is harmless, what its definition
 * names, and what it sets. Variables that make an interpreter or the loader
 * run other code pass only if a trusted layer sets them.
 */
export function buildEnv(
  source: Readonly<Record<string, string | undefined>>,
  { names = [], setEnv = {}, isTrusted = false }: EnvGrants = {},
): BuiltEnv {
  const env: Record<string, string> = {}
  const dropped: string[] = []
  const granted = new Set(names)
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined) continue
    const isWanted = granted.has(name) || harmless.test(name)
    if (isWanted && !steersCode(name)) env[name] = value
    else if (granted.has(name)) dropped.push(name)
  }
  for (const [name, value] of Object.entries(setEnv)) {
    if (name === runTagVariable || (steersCode(name) && !isTrusted)) {
      dropped.push(name)
    } else {
      env[name] = value
    }
  }
  return { env, dropped }
}

// Names count without regard to case, because on Windows they do.
const harmless =
  /^(PATH|HOME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|USER|LOGNAME|SHELL|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|HOSTNAME|XDG_[A-Z_]+|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE)$/i

/** Whether a variable decides what code a program runs. */
export function steersCode(name: string): boolean {
  return steering.test(name)
}

const steering =
  /^(LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|NODE_TLS_REJECT_UNAUTHORIZED|NODE_EXTRA_CA_CERTS|ELECTRON_RUN_AS_NODE|BASH_ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|ENV|PS4|PROMPT_COMMAND|IFS|CDPATH|ZDOTDIR|PYTHON.*|GIT_.*|PERL5.*|PERLLIB|RUBY.*|GEM_.*|BUNDLE_.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|LUA_.*|PHPRC|PHP_INI_SCAN_DIR|GCONV_PATH|GLIBC_TUNABLES|LOCPATH|HOOKLINE_RUN)$/i

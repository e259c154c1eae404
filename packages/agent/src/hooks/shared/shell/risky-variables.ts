/** Variables whose values programs run, or load code by. */
const run = new Set(
  `PROMPT_COMMAND PS0 PS4 GIT_SSH_COMMAND GIT_SSH GIT_EDITOR
  GIT_SEQUENCE_EDITOR GIT_PAGER GIT_ASKPASS GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND
  SSH_ASKPASS EDITOR VISUAL PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER LESSOPEN
  LESSCLOSE BROWSER SUDO_EDITOR SUDO_ASKPASS FCEDIT MAILCAPS`.split(/\s+/),
)
const load =
  /^(?:BASH_ENV$|ENV$|LD_|DYLD_|GCONV_PATH$|PYTHONSTARTUP$|PYTHONPATH$|PERL5|PERLLIB$|RUBYOPT$|RUBYLIB$|NODE_OPTIONS$|NODE_PATH$|JAVA_TOOL_OPTIONS$|_JAVA_OPTIONS$|BASH_FUNC|GIT_CONFIG|SHELLOPTS$|BASHOPTS$)/

/** A script is in its value. */
export const runsItsValue = (name: string): boolean => run.has(name)

/** Its value decides what code other programs load. */
export const loadsCode = (name: string): boolean => load.test(name)

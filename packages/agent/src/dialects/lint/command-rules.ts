import type { DialectName, ForeignCommand } from '../dialect.ts'
import { type Remark, remark } from './remark.ts'

/** What a command line does not do that its author counts on. */
export function checkCommand(
  { command, args }: ForeignCommand,
  dialect: DialectName,
): readonly Remark[] {
  if (args !== undefined) return checkArgs(command, args)
  const isClaudes = dialect === 'claude-code'
  return rules.flatMap(({ isBroken, isOnlyClaudes, ...made }) =>
    (isClaudes || !isOnlyClaudes) && isBroken(command) ? [made] : [],
  )
}

function checkArgs(
  command: string,
  args: readonly string[],
): readonly Remark[] {
  const all = [command, ...args].join(' ')
  const remarks: Remark[] = []
  if (/\s/.test(command.trim()) && args.length === 0) {
    const message =
      'With "args" no shell reads the command: all of it is the name of one program.'
    remarks.push(
      remark(
        'error',
        'exec-form',
        message,
        'Leave out "args", or put the arguments there.',
      ),
    )
  }
  if (/(?<!\\)\$(?!\{CLAUDE_)[A-Za-z_(]|[|&;><]/.test(all)) {
    const message =
      'With "args" no shell reads the command, so that variables, pipes and redirections are only text.'
    remarks.push(remark('warning', 'exec-form', message))
  }
  return remarks
}

interface CommandRule extends Remark {
  readonly isBroken: (command: string) => boolean
  /** Other products start commands where their scripts are. */
  readonly isOnlyClaudes?: true
}

const rules: readonly CommandRule[] = [
  {
    ...remark(
      'warning',
      'unquoted-variable',
      'A path with a blank in it would be taken apart: the variable with the folder is not in quotes.',
      '"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh',
    ),
    isBroken: hasUnquotedFolder,
  },
  {
    ...remark(
      'warning',
      'login-shell',
      'A login shell reads profiles, and whatever they print is taken for the answer of the hook.',
      'bash -c',
    ),
    isBroken: (text) =>
      /\b(?:ba|z|da|k)?sh\s+(?:-\w*l\w*|--login)\b/.test(text),
  },
  {
    ...remark(
      'error',
      'no-such-variable',
      'There is no variable with the input of the tool: it comes as JSON on standard input.',
      "jq -r '.tool_input.file_path'",
    ),
    isBroken: (text) =>
      /\$\{?(?:CLAUDE_(?:TOOL_\w+|FILE_PATHS?|NOTIFICATION|COMMAND|PROMPT|EVENT\w*)|TOOL_(?:INPUT|NAME|OUTPUT|RESULT)\w*|FILE_PATH)\b/.test(
        text,
      ) && !/\b(?:TOOL_(?:INPUT|NAME|OUTPUT|RESULT)\w*|FILE_PATH)=/.test(text),
  },
  {
    ...remark(
      'error',
      'quoted-tilde',
      'A "~" in quotes is not the home folder.',
      '"$HOME"/…',
    ),
    isBroken: (text) => /(?:^|\s)["']~\//.test(text),
  },
  {
    ...remark(
      'note',
      'relative-script',
      'The script has a relative path. Here it is found, as commands run in the project; in the product it is not, once the agent has changed its folder.',
      '"$CLAUDE_PROJECT_DIR"/…',
    ),
    isOnlyClaudes: true,
    isBroken: (text) =>
      /(?:^|\s|["'])(?:\.{1,2}\/|\.claude\/)[\w./-]+\.(?:sh|py|js|mjs|cjs|ts|rb|pl)\b/.test(
        text,
      ),
  },
  {
    ...remark(
      'warning',
      'no-terminal',
      'There is no terminal: whatever asks a person waits until its time is up.',
    ),
    isBroken: (text) =>
      /\bsudo\s+(?!-n)|\bread\s+-\w*p|\/dev\/tty\b/.test(text),
  },
  {
    ...remark(
      'error',
      'user-config',
      'A placeholder of "user_config" is filled in only where the command has "args".',
    ),
    isBroken: (text) => /\$\{user_config\./.test(text),
  },
]

/** The variable outside of double quotes. */
function hasUnquotedFolder(text: string): boolean {
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (sign === '\\') at++
    else if (quote !== '') {
      if (sign === quote) quote = ''
    } else if (sign === '"' || sign === "'") quote = sign
    else if (
      /^\$\{?CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT)\b/.test(text.slice(at, at + 24))
    ) {
      // What is set is not taken apart.
      return !/(?:^|\s)\w+=$/.test(text.slice(0, at))
    }
  }
  return false
}

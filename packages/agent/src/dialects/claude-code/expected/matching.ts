/** A matcher, what it is compared with, whether they fit. Section 2.2. */
export type MatchCase = readonly [
  matcher: string | undefined,
  value: string,
  fits: boolean,
]

export const matchCases: readonly MatchCase[] = [
  [undefined, 'Bash', true],
  ['', 'Bash', true],
  ['*', 'mcp__memory__add', true],
  ['Bash', 'Bash', true],
  ['Bash', 'BashOutput', false],
  ['bash', 'Bash', false],
  ['Edit|Write', 'Write', true],
  ['Edit | Write', 'Write', true],
  ['Edit,Write', 'Write', true],
  ['Edit|Write', 'MultiEdit', false],
  ['Edit.*', 'MultiEdit', true],
  ['^Edit$', 'MultiEdit', false],
  ['mcp__memory', 'mcp__memory__add', false],
  ['mcp__memory__.*', 'mcp__memory__add', true],
  ['mcp__.*__write.*', 'mcp__files__write_file', true],
  ['mcp__*', 'mcp__memory__add', true],
  ['mcp-tool', 'mcp-tool', true],
  ['Notebook.*', 'NotebookEdit', true],
  ['Task', 'Agent', true],
  ['Agent', 'Agent', true],
  ['Bash || Edit', 'Bash', true],
  ['Bash(git *)', 'Bash', false],
  ['tool == "Edit"', 'Edit', false],
  ['*.ts', 'Bash', false],
  ['[', 'Bash', false],
  ['.*', 'Anything', true],
  ['(?!Read).*', 'Bash', true],
  ['^(?!Read$).*', 'Read', false],
]

/** `if` of a hook, a tool, its input, whether it fires. Section 2.3. */
export type RuleCase = readonly [
  rule: string,
  tool: string,
  input: Readonly<Record<string, string>>,
  fires: boolean,
]

const bash = (command: string) => ({ command })
const file = (file_path: string) => ({ file_path })

/** The folder of the session is `/srv/app`. */
export const ruleCases: readonly RuleCase[] = [
  ['Bash', 'Bash', bash('ls'), true],
  ['Bash', 'Edit', file('/srv/app/a.ts'), false],
  ['Bash(git *)', 'Bash', bash('git push'), true],
  ['Bash(git *)', 'Bash', bash('gitk'), false],
  ['Bash(git *)', 'Bash', bash('ls'), false],
  ['Bash(git *)', 'Bash', bash('FOO=1 BAR="a b" git push'), true],
  ['Bash(git *)', 'Bash', bash('cd /tmp && git push'), true],
  ['Bash(git *)', 'Bash', bash('ls; git push'), true],
  ['Bash(git *)', 'Bash', bash('true || git push'), true],
  ['Bash(git *)', 'Bash', bash('yes | git apply'), true],
  ['Bash(git *)', 'Bash', bash('echo $(git rev-parse HEAD)'), true],
  ['Bash(git *)', 'Bash', bash('echo `git rev-parse HEAD`'), true],
  ['Bash(git *)', 'Bash', bash('echo "git push"'), false],
  ['Bash(git *)', 'Bash', bash('echo $HOME'), false],
  ['Bash(git push *)', 'Bash', bash('git push origin'), true],
  ['Bash(git push *)', 'Bash', bash('git status'), false],
  ['Bash(git push *)', 'Bash', bash('git $VERB origin'), true],
  ['Bash(git push *)', 'Bash', bash('echo $(date)'), true],
  ['Bash(git push *)', 'Bash', bash('echo `date`'), true],
  ['Bash(git *)', 'Bash', bash('git "unfinished'), true],
  ['Bash(git commit:*)', 'Bash', bash('git commit -m x'), true],
  ['Bash(git commit:*)', 'Bash', bash('git commit'), true],
  ['Bash(git commit:*)', 'Bash', bash('git committer'), false],
  ['Bash(npm test)', 'Bash', bash('npm test'), true],
  ['Bash(npm test)', 'Bash', bash('npm test --watch'), false],
  ['Bash(rm *)', 'Bash', bash('rm -rf build'), true],
  ['Edit(src/**)', 'Edit', file('/srv/app/src/a/b.ts'), true],
  ['Edit(src/**)', 'Edit', file('/srv/app/lib/src/b.ts'), false],
  ['Edit(**/src/**)', 'Edit', file('/srv/app/lib/src/b.ts'), true],
  ['Edit(*.ts)', 'Edit', file('/srv/app/a.ts'), true],
  ['Write(.env)', 'Write', file('/srv/app/.env'), true],
  ['Write(.env)', 'Write', file('/srv/app/sub/.env'), false],
  ['Read(//etc/**)', 'Read', file('/etc/passwd'), true],
  ['mcp__memory__add', 'mcp__memory__add', {}, true],
  ['mcp__memory__add', 'mcp__memory__get', {}, false],
  ['not a rule(', 'Bash', bash('ls'), true],
]

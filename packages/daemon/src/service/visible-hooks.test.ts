import { expect, test } from 'vitest'
import { shownCall, shownQuestions } from './visible-hooks.ts'

const isVisible = (hook: string) => hook === 'seen'
const unseen = 'a hook that you may not see'
const ask = (by: string, question = 'Really?') => ({ by, question })

test('the same list is told where they may see all who ask', () => {
  const questions = [ask('policy'), ask('seen')]
  expect(shownQuestions(questions, isVisible)).toBe(questions)
})

test('what hooks ask that nobody can tell apart is told once', () => {
  const questions = [
    ask('policy'),
    ask('one'),
    ask('seen'),
    ask('other'),
    ask('other', 'Sure?'),
  ]
  expect(shownQuestions(questions, isVisible)).toEqual([
    ask('policy'),
    ask(unseen),
    ask('seen'),
    ask(unseen, 'Sure?'),
  ])
})

const call = (...asked: string[]) => `tool: "probe"
agent: {
  "name": "main"
}
asked: [
${asked.join('\n')}
]
may: {}
arguments: {
  "deep": {
    "by": "one",
    "question": "asked: ["
  }
}`

const entry = (by: string, comma = ',') => `  {
    "by": ${by}
    "question": "\\n    "by": "one","
  }${comma}`

test('a call that was asked about before 0.3.0 is shown without the names of hidden hooks', () => {
  const shown = call(
    entry('"policy",'),
    entry('"one",'),
    entry('"odd\\u{200b}" [cut: 4000 of 5000 characters; SHA-256 0f],'),
    entry('"seen",', ''),
  )
  expect(shownCall(shown, isVisible)).toBe(
    call(
      entry('"policy",'),
      entry(`"${unseen}",`),
      entry(`"${unseen}",`),
      entry('"seen",', ''),
    ),
  )
  const cut = (by: string) =>
    call('  {', `    "by": ${by},`, '    [cut: 1 more not shown; SHA-256 0f]')
  expect(shownCall(cut('"one"'), isVisible)).toBe(cut(`"${unseen}"`))
})

test('what names nobody is shown as it is', () => {
  for (const shown of [call('  "Really?"'), call(entry('"seen",')), '']) {
    expect(shownCall(shown, isVisible)).toBe(shown)
  }
})

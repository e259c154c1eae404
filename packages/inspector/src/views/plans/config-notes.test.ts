import { expect, test } from 'vitest'
import { configNotes } from './config-notes.ts'

const fine = {
  sources: [],
  problems: [],
  broken: [],
  doubts: [],
  findings: [],
  untrusted: 0,
  needsRestart: [],
}

test('where all is in force there is nothing to tell', () => {
  expect(configNotes(fine)).toEqual([])
})

test('what is refused comes first, then files, then hooks, then what waits', () => {
  const broken = [
    {
      file: 'hooks.yaml',
      line: 2,
      column: 5,
      code: 'key',
      message: 'No on.',
      layer: 'project' as const,
    },
    {
      code: 'unreadable',
      message: 'It cannot be read.',
      layer: 'user' as const,
    },
  ]
  const notes = configNotes({
    ...fine,
    broken,
    untrusted: 2,
    needsRestart: ['store', 'daemon'],
    refusal: 'Two hooks have one name.',
  })
  expect(notes.map(({ text, details }) => [text, ...details])).toEqual([
    ['What was loaded earlier stays in force', 'Two hooks have one name.'],
    ['Nothing of this file is used', 'No on.', 'hooks.yaml:2:5'],
    ['Nothing of this file is used', 'It cannot be read.'],
    [
      '2 hooks of the project do nothing until you trust them',
      'hookline hooks trust',
    ],
    ['Changed, and in force when the daemon is started again', 'store, daemon'],
  ])
})

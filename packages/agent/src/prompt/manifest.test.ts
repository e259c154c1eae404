import { createHash } from 'node:crypto'
import {
  type MergedEntry,
  type MergedSection,
  promptBudgets,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { compileSystem } from './compile-system.ts'
import { createManifest } from './manifest.ts'

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const section: MergedSection = {
  section: 'style',
  title: 'Style',
  content: 'Be brief.\n\nBe kind.',
  codePoints: 19,
  isCut: true,
  fragments: [
    { hook: 'brief', content: 'Be brief.', codePoints: 9, isCut: false },
    { hook: 'kind', content: 'Be kind.', codePoints: 8, isCut: true },
  ],
}

const entry: MergedEntry = {
  id: 'tea',
  domain: 'memory',
  content: 'Tea \u{1f375}.',
  sources: [],
  isDurable: false,
  hook: 'recall',
  codePoints: 6,
  isCut: false,
}

test('every fragment has its author, its hash, its size, and whether it was cut', () => {
  const { fragments, budgets } = createManifest(
    { instructions: 'You are kind.' },
    { sections: [section], context: [entry], moments: 3 },
  )
  expect(budgets).toEqual({
    section: promptBudgets.section,
    context: 3 * promptBudgets.context,
  })
  const kind = 'section'
  expect(fragments).toEqual([
    {
      kind: 'base',
      id: 'instructions',
      hash: sha('You are kind.'),
      codePoints: 13,
      isCut: false,
    },
    {
      ...{ kind, id: 'style', hook: 'brief', hash: sha('Be brief.') },
      codePoints: 9,
      isCut: false,
    },
    {
      ...{ kind, id: 'style', hook: 'kind', hash: sha('Be kind.') },
      codePoints: 8,
      isCut: true,
    },
    {
      kind: 'context',
      id: 'tea',
      hook: 'recall',
      hash: sha('Tea \u{1f375}.'),
      codePoints: 6,
      isCut: false,
    },
  ])
})

test('instructions are listed as they stand in the prompt', () => {
  const given = '\n You are kind. \n'
  const system = compileSystem({ instructions: given }, [])
  const [base] = createManifest(
    { instructions: given },
    { sections: [], context: [], moments: 1 },
  ).fragments
  const [block] = system?.content ?? []
  expect(block?.text).toBe('You are kind.')
  expect(base).toMatchObject({ hash: sha('You are kind.'), codePoints: 13 })
})

test('the system prompt has the instructions, then sections under their titles', () => {
  const plain = { ...section, title: undefined, content: 'No title.' }
  const [block] =
    compileSystem({ instructions: 'You are kind.' }, [section, plain])
      ?.content ?? []
  expect(block?.text).toBe(
    'You are kind.\n\n## Style\n\nBe brief.\n\nBe kind.\n\nNo title.',
  )
})

test('there is no system prompt where there is nothing to say', () => {
  expect(compileSystem({ instructions: '  ' }, [])).toBeUndefined()
})

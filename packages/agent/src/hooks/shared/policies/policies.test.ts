import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentScope, SealedCall } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { factsOf } from './call-facts.ts'
import { findPackage, loadPackage } from './find-package.ts'
import { notPermitted, policyFailure } from './policy-answer.ts'
import { readPolicyFile } from './policy-file.ts'

const call: SealedCall = {
  ...{ id: 'call-1', tool: 'pay', owner: 'shop', safety: 'mutating' },
  ...{ args: { sum: 3 }, originalArgs: { sum: 9 } },
  grant: {
    ...{ decision: 'allow', sandbox: 'none', roots: [], network: 'none' },
    ...{ timeoutMs: 1, maxOutputBytes: 1 },
  },
  ...{ definitionHash: 'd', seal: 's' },
}

const scope: AgentScope = {
  ...{ agent: 'b', origin: 'subagent', coreType: 'native', turn: 3 },
  ...{ parents: ['a'], cwd: '/home', sessionId: 'x' },
  actor: { kind: 'user', id: 'ann', besides: [{ kind: 'user', id: 'bob' }] },
}

test('policies are told what a call is, and nothing else', () => {
  expect(factsOf(call, scope)).toEqual({
    ...{ tool: 'pay', owner: 'shop', safety: 'mutating', args: { sum: 3 } },
    ...{ agent: 'b', parents: ['a'], origin: 'subagent', cwd: '/home' },
    actor: { kind: 'user', id: 'ann' },
  })
  const { actor: _, parents: __, cwd: ___, ...bare } = scope
  expect(factsOf(call, bare)).toEqual({
    ...{ tool: 'pay', owner: 'shop', safety: 'mutating', args: { sum: 3 } },
    ...{ agent: 'b', parents: [], origin: 'subagent' },
  })
})

test.each([
  ['half of a character', { path: ['a', { b: 'x\ud800' }] }],
  ['half of a character', { 'x\udc00': 1 }],
  ['no end', { sum: Number.POSITIVE_INFINITY }],
  ['no end', { sums: [Number.NaN] }],
])(
  'what would arrive as something else is told to no engine: %s',
  (word, args) => {
    expect(() => factsOf({ ...call, args }, scope)).toThrow(word)
  },
)

test('whole characters of any kind are told', () => {
  const args = { é: '😀 \\ud800', n: -0.5, none: null, yes: true }
  expect(factsOf({ ...call, args }, scope).args).toEqual(args)
})

test('what is not permitted is refused, or people are asked', () => {
  expect(notPermitted(call, 'it is late', 'reject')).toMatchObject({
    ...{ type: 'reject', reason: 'Not allowed: it is late.' },
  })
  expect(notPermitted(call, 'it is late', 'ask')).toMatchObject({
    type: 'ask',
  })
})

test('a failure leaves a word in the record', () => {
  const told: string[] = []
  const diagnose = (code: string, message: string) =>
    told.push(`${code}: ${message}`)
  expect(policyFailure(diagnose, new Error('No.')).message).toBe('No.')
  expect(policyFailure(diagnose, 'text').message).toBe('It is unknown why.')
  expect(told[0]).toBe('policy-failed: No.')
})

test('a package that is not there is named, with what to do', () => {
  const none = '@hookline/none'
  const wanted = expect.objectContaining({
    code: 'missing-package',
    message: `The hooks "x" need the package ${none}; install it with: npm install ${none}`,
  })
  expect(() => findPackage('x', none)).toThrow(wanted)
  expect(() => loadPackage('x', none)).toThrow(wanted)
})

test('a file is read only as far as it is one, and small enough', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-policies-'))
  const host = { name: 'x', folder }
  const read = (path: string) =>
    readPolicyFile(host, { path, what: 'policy', maxBytes: 4 }).toString()
  try {
    await writeFile(join(folder, 'a'), 'abcd')
    await writeFile(join(folder, 'b'), 'abcde')
    expect(read('a')).toBe('abcd')
    for (const path of ['b', 'c', '.', '/dev/zero']) {
      expect(() => read(path)).toThrow('policy of "x" cannot be read')
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

import { expect, test } from 'vitest'
import type {
  CallExplanation,
  ExplainedApproval,
  ExplainedVerdict,
} from '../../../protocol/schemas/records.ts'
import {
  agreed as approval,
  allowedCall as base,
  passing as verdict,
} from '../../../protocol/words/fixtures/explained-call.ts'
import {
  type CaptureOptions,
  captureOutput,
} from '../../fixtures/captured-output.ts'
import { textWidth } from '../../output/text-width.ts'
import { missingWords, renderWhy } from './render-why.ts'

const refusal = {
  ...verdict,
  hook: 'no-push',
  answer: 'reject',
  reason: 'Do not push.',
  decided: true,
}

const denied: CallExplanation = {
  ...base,
  status: 'denied',
  error: 'denied',
  decidedBy: { kind: 'hook', name: 'no-push', reason: 'Do not push.' },
  grant: null,
  isUngated: false,
  verdicts: [refusal],
}

const render = (why: CallExplanation, options: CaptureOptions = {}) =>
  renderWhy(why, captureOutput(options).output)

const rowsOf = (text: string, name: string) =>
  text.split('\n').filter((line) => line.startsWith(name))

test('a call that no hook judged says so, and what policy granted', () => {
  const text = render(base)
  expect(text).toMatch(/^shell was allowed by policy, and ran\.\n\narguments/)
  expect(rowsOf(text, 'policy')).toEqual([
    'policy     allowed it: sandbox workspace; folders .',
  ])
  expect(text).toContain('none has judged it, and policy did not ask for one')
  expect(text).toContain(`  sha-256  ${base.argsHash}`)
  expect(text).toContain(`seal       ${base.seal}`)
  expect(text).toContain('over after 250 ms')
})

test('a refusal is told with its words, once', () => {
  const lines = render(denied).split('\n')
  expect(lines.slice(0, 2)).toEqual([
    'shell was denied by the hook "no-push".',
    '  "Do not push."',
  ])
  const text = lines.join('\n')
  expect(text.split('Do not push.')).toHaveLength(2)
  expect(text).toContain(
    '1. no-push at tool.guard: denied it, which decided it, 2 ms',
  )
  expect(missingWords(denied)).toBeUndefined()
})

test('words that were not kept are said to be missing, with what keeps them', () => {
  const { reason: _, ...silent } = refusal
  const decidedBy = { kind: 'hook', name: 'no-push' } as const
  const lacking = { ...denied, decidedBy, verdicts: [silent] }
  expect(missingWords(lacking)).toContain('content: { runs: redacted }')
  const policy = { kind: 'policy' } as const
  const byPolicy = { ...denied, decidedBy: policy, verdicts: [] }
  expect(missingWords(byPolicy)).toContain('content: { journal: redacted }')
  expect(missingWords(base)).toBeUndefined()
})

test('every verdict is told in order: what it said, and what came of it', () => {
  const failed: ExplainedVerdict = {
    ...verdict,
    hook: 'd',
    answer: undefined,
    decided: true,
    state: 'timed_out',
    failure: { code: 'timed-out', message: 'Hook "d" failed: timed-out.' },
    policy: 'closed',
  }
  const broken: ExplainedVerdict = {
    ...failed,
    hook: 'f',
    state: 'failed',
    decided: false,
    failure: { code: 'threw', message: 'Hook "f" failed: threw.' },
    policy: 'open',
    failedOpen: true,
  }
  const text = render({
    ...denied,
    decidedBy: { kind: 'hook', name: 'd' },
    originalArgs: { command: 'ls -la' },
    verdicts: [
      { ...verdict, hook: 'a' },
      { ...verdict, point: 'tool.pre_call', hook: 'b', answer: 'transform' },
      { ...refusal, hook: 'c', decided: false, mode: 'evaluate' },
      broken,
      failed,
      { ...verdict, hook: 'e', state: 'skipped', latencyMs: undefined },
    ],
    hidden: 2,
  })
  expect(text.split('\n')).toEqual([
    'shell was denied: the hook "d" took too long, and that counts as a refusal.',
    '',
    'arguments  {"command":"ls"}',
    '  at first {"command":"ls -la"}',
    `  sha-256  ${base.argsHash}`,
    'hooks      1. a at tool.guard: let it pass, 2 ms',
    '           2. b at tool.pre_call: changed the arguments, 2 ms',
    '           3. c at tool.guard: denied it; it is only evaluated, 2 ms',
    '              "Do not push."',
    '           4. f at tool.guard: failed: threw; open: all went on as if it were not there, 2 ms',
    '           5. d at tool.guard: took too long; closed: it counted as a refusal, 2 ms',
    '           6. e at tool.guard: was not asked; it was decided before',
    '           2 more, hidden from you',
    expect.stringMatching(/^when {7}\S+ \S+$/),
    'tool       shell of os, destructive',
    'call       c1',
    'turn       t1 of session s1',
    `seal       ${base.seal}`,
  ])
})

test('people who were asked are named, with their votes and words', () => {
  const agreed: ExplainedApproval = {
    ...approval,
    approvers: 2,
    reason: 'Fine.',
    lasts: 'session',
    votes: [
      { voter: 'user:cid', decision: 'allow', at: 1 },
      { voter: 'user:bob', decision: 'allow', at: 5 },
    ],
  }
  const text = render({
    ...base,
    decidedBy: { kind: 'person', name: 'user:bob', reason: 'Fine.' },
    grant: { decision: 'ask', reason: 'It writes.' },
    approvals: [agreed, { ...approval, id: 'a2', state: 'pending' }],
  })
  expect(text).toMatch(
    /^shell was allowed by user:bob, and ran\.\n {2}"Fine\."\n/,
  )
  expect(text).toContain('wanted somebody asked: It writes.')
  const [people = ''] = rowsOf(text, 'people')
  expect(people).toMatch(/^people {5}user:bob agreed, for: session, /)
  expect(people).toContain(
    'asked for user:ann; 2 are needed: user:cid allow, user:bob allow (approval a1)',
  )
  expect(text).toContain('nobody has answered yet')
})

test('whoever kept it from running is named, and what nobody knows is said', () => {
  const first = (why: Partial<CallExplanation>) =>
    render({ ...denied, ...why }).split('\n')[0]
  const by = (kind: 'person' | 'policy' | 'check' | 'nobody' | 'hook') =>
    first({ decidedBy: { kind, name: 'user:bob' }, verdicts: [] })
  expect(by('person')).toBe('shell was denied by user:bob.')
  expect(by('policy')).toBe('shell was denied by policy.')
  expect(by('check')).toContain('no such tool')
  expect(by('nobody')).toContain('nobody did in time')
  const secret = { decidedBy: { kind: 'hook' as const }, verdicts: [] }
  expect(first(secret)).toContain('by a hook that you may not see')
  expect(first({ status: 'synthesized' })).toBe(
    'shell did not run: the hook "no-push" gave its result.',
  )
  expect(first({ status: 'unknown_outcome' })).toContain('nobody knows')
  const open = { status: undefined, decidedBy: undefined }
  expect(first({ ...open, state: 'waiting' })).toContain('waits for somebody')
  expect(first({ ...open, state: 'sealed' })).toContain('has not ended')
})

test('what hooks did to the result is part of the first sentence', () => {
  const after = { ...verdict, point: 'tool.post_call', hook: 'mask' }
  const first = (answer: string, decided: boolean) =>
    render({ ...base, verdicts: [{ ...after, answer, decided }] }).split(
      '\n',
    )[0]
  expect(first('transform', false)).toContain(
    'and ran; its result was changed by the hook "mask".',
  )
  expect(first('reject', true)).toContain('its result was withheld by the hook')
  expect(first('proceed', false)).toBe('shell was allowed by policy, and ran.')
})

test('it fits a screen of 80 by 24, whatever was said and by how many', () => {
  const long = 'a word and 世界 '.repeat(40).trim()
  const many = Array.from({ length: 30 }, (_, at) => ({
    ...verdict,
    hook: `a-rather-long-name-${at}`,
  }))
  const text = render(
    {
      ...denied,
      args: { command: long, rest: 'x'.repeat(500) },
      originalArgs: { command: long },
      decidedBy: { kind: 'hook', name: 'no-push', reason: 'No. '.repeat(60) },
      verdicts: [...many, refusal],
    },
    { isTerminal: true, columns: 80, env: { NO_COLOR: '1' } },
  )
  const lines = text.split('\n')
  expect(lines.length).toBeLessThan(24)
  expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(80)
  expect(text).toContain('31. no-push at tool.guard')
  expect(text).toContain('30 let it pass: a-rather-long-name-0, ')
})

test('text of others is text on a screen', () => {
  const evil = '\x1b[31m\x07\u202e\u009b'
  const text = render({
    ...base,
    tool: evil,
    owner: evil,
    // A newer daemon may say anything.
    status: evil as CallExplanation['status'],
    error: evil,
    approvedBy: { kind: 'hook', name: evil },
    seal: evil,
    args: { evil },
    decidedBy: { kind: 'person', name: evil, reason: evil },
    grant: { decision: evil, reason: evil },
    verdicts: [{ ...verdict, hook: evil, answer: evil, reason: evil }],
    approvals: [{ ...approval, reason: `${evil}!`, requestedBy: [evil] }],
  })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: They are what it is about.
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
})

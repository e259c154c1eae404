import type { AgentEvent } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { captureOutput } from '../fixtures/captured-output.ts'
import { textWidth } from '../output/text-width.ts'
import { createHeldSink, createOutputSink } from './sink.ts'
import { createTurnView } from './turn-view.ts'

const place = { seq: 1, sessionId: 's', turnId: 't', path: ['main'] }

function show(
  events: readonly object[],
  options: { isTerminal?: boolean; isVerbose?: boolean; columns?: number } = {},
) {
  const { isVerbose = false, columns = 80, isTerminal = false } = options
  const { output, written } = captureOutput({
    isTerminal,
    env: { NO_COLOR: '1' },
  })
  const view = createTurnView({
    sink: createOutputSink(output),
    style: (_, text) => text,
    columns: () => columns,
    isVerbose,
  })
  // Only what the events of a test are about is written down.
  for (const event of events) {
    view({ ...place, ...event } as unknown as AgentEvent)
  }
  return written
}

const said = (...pieces: string[]) => [
  { type: 'text-start', id: 'a' },
  ...pieces.map((text) => ({ type: 'text-delta', id: 'a', text })),
  { type: 'text-end', id: 'a' },
]

const refused = (text: string) => ({
  type: 'tool-end',
  tool: 'shell',
  status: 'denied',
  result: { isError: true, error: 'denied', content: [{ type: 'text', text }] },
  elapsedMs: 3,
})

const call = { id: 'c', tool: 'shell', args: { command: 'ls' } }

test('what is said goes to stdout as it comes, and what is done to stderr', () => {
  const { stdout, stderr } = show([
    ...said('Let me ', 'look.'),
    { type: 'tool-start', call },
    {
      type: 'tool-end',
      tool: 'shell',
      status: 'executed',
      result: { isError: false, content: [] },
      elapsedMs: 12,
    },
    ...said('Done.\n'),
  ])
  expect(stdout).toBe('Let me look.\nDone.\n')
  expect(stderr).toBe('→ shell {"command":"ls"}\n✓ shell (12 ms)\n')
})

test('text of a model, of tools and of hooks moves nothing on the screen', () => {
  const { stdout, stderr } = show([
    ...said('a\x1b', '[2Jb'),
    { type: 'tool-start', call: { ...call, tool: 'x\x1b]0;y\x07' } },
    {
      type: 'hook-delta',
      hook: 'h\n→ fake',
      notice: { message: '\x1b[1A', level: 'error' },
    },
  ])
  expect(stdout).toBe('a\\u{1b}[2Jb\n')
  expect(stderr).not.toMatch(/[^\P{Cc}\n]/u)
  expect(stderr.trim().split('\n')).toHaveLength(2)
})

test('what hooks change and refuse is shown, and what says nothing new is not', () => {
  const events = [
    {
      type: 'hook-end',
      hook: 'g',
      point: 'p',
      answer: 'proceed',
      elapsedMs: 1,
    },
    { type: 'hook-end', hook: 'g', point: 'p', answer: 'reject', elapsedMs: 1 },
    { type: 'hook-replace', hook: 'r', point: 'p', subject: 'args' },
    {
      type: 'hook-withhold',
      hook: 'w',
      point: 'p',
      subject: 'reply',
      reason: 'secret',
    },
    { type: 'hook-replace', hook: 'n', point: 'p', subject: 'grant' },
    { type: 'hook-inject', hook: 'm', point: 'p', subject: 'tools' },
    { type: 'hook-inject', hook: 'm', point: 'p', subject: 'policy' },
    { type: 'hook-inject', hook: 'm', point: 'p', subject: 'feedback' },
  ]
  expect(show(events).stderr.trim().split('\n')).toEqual([
    '⚑ g at p: reject (1 ms)',
    '⚑ r changed the args',
    '⚑ w kept back the reply: secret',
    '⚑ n changed the grant',
    '⚑ m added to the feedback',
  ])
  const verbose = show(events, { isVerbose: true }).stderr
  expect(verbose.trim().split('\n')).toHaveLength(events.length)
})

test('of a result that was withheld is said that it was the result, and why', () => {
  const { stderr } = show([
    {
      type: 'tool-end',
      tool: 'shell',
      status: 'executed',
      result: {
        isError: true,
        error: 'withheld',
        content: [{ type: 'text', text: '[withheld: A secret.]' }],
      },
      elapsedMs: 12,
    },
  ])
  expect(stderr).toBe('✗ shell result withheld: A secret. (12 ms)\n')
})

test.each([
  ['synthesized', 'withheld', 'result withheld: A secret.'],
  ['denied', 'denied', 'denied, withheld: A secret.'],
  [
    'unknown_outcome',
    'unknown_outcome',
    'unknown_outcome, withheld: A secret.',
  ],
])(
  'what is withheld of a call that ended as %s is not told as a result of the tool where there was none',
  (status, error, words) => {
    const content = [{ type: 'text', text: '[withheld: A secret.]' }]
    const result = { isError: true, error, content }
    const end = { type: 'tool-end', tool: 'shell', status, result }
    const { stderr } = show([{ ...end, elapsedMs: 12 }])
    expect(stderr.replace(' (12 ms)', '')).toBe(`✗ shell ${words}\n`)
  },
)

test('that a hook failed is told in words also where it left a denial unjudged', () => {
  const { stderr } = show([refused('[withheld: hook_error:threw]')], {
    columns: 200,
  })
  expect(stderr).toBe(
    '✗ shell denied, withheld: a hook failed (threw), which counts as a refusal; "hookline runs --state failed" says which\n',
  )
})

test('a refusal says who and why', () => {
  const { stderr } = show([
    {
      type: 'tool-end',
      tool: 'shell',
      status: 'denied',
      result: {
        isError: true,
        error: 'denied',
        content: [{ type: 'text', text: 'no-force-push: never' }],
      },
      elapsedMs: 3,
    },
    {
      type: 'permission-end',
      questionId: 'q',
      by: { kind: 'person', name: 'user:ann' },
      decision: { type: 'deny', reason: 'no' },
    },
  ])
  expect(stderr).toBe(
    '✗ shell denied: no-force-push: never\n· denied by user:ann: no\n',
  )
})

test('why something was refused is told in several lines where it takes them', () => {
  const long = show([refused('one two three four five six')], { columns: 30 })
  expect(long.stderr).toBe('✗ shell denied: one two\n  three four five six\n')
  const endless = show([refused('世界 '.repeat(200))], { columns: 30 }).stderr
  const lines = endless.trimEnd().split('\n')
  expect(lines).toHaveLength(4)
  expect(Math.max(...lines.map(textWidth))).toBeLessThan(30)
})

test.each([
  ['timed-out', 'timed_out'],
  ['threw', 'failed'],
  ['quarantined', 'skipped'],
])(
  'where a hook has failed (%s), the command that names it lists its run',
  (code, state) => {
    const { stderr } = show([refused(`hook_error:${code}`)], { columns: 200 })
    expect(stderr).toBe(
      `✗ shell denied: a hook failed (${code}), which counts as a refusal; "hookline runs --state ${state}" says which\n`,
    )
  },
)

test('a hook that could not be asked is not told as one that ran and failed', () => {
  const { stderr } = show([refused('hook_error:unavailable')], { columns: 200 })
  expect(stderr).toBe(
    '✗ shell denied: a hook could not be asked (unavailable), which counts as a refusal; "hookline runs --state failed" says which\n',
  )
})

test('a hook that is named need not be looked for when it has failed', () => {
  const { stderr } = show(
    [
      {
        type: 'hook-withhold',
        hook: 'w',
        point: 'p',
        subject: 'reply',
        reason: 'hook_error:timed-out',
      },
    ],
    { columns: 200 },
  )
  expect(stderr).toBe(
    '⚑ w kept back the reply: it failed (timed-out), which counts as a refusal\n',
  )
})

test('what happens in a sub-agent carries its name; what it says is not said', () => {
  const inner = { path: ['main', 'scout'] }
  const { stdout, stderr } = show([
    { type: 'text-delta', id: 'x', text: 'inner', ...inner },
    { type: 'tool-start', call, ...inner },
  ])
  expect(stdout).toBe('')
  expect(stderr).toBe('scout › → shell {"command":"ls"}\n')
})

test('what joins a turn is shown, and what began it is not', () => {
  const content = [{ type: 'text', text: 'faster' }]
  const { stderr } = show([
    { type: 'turn-input', content, isSteering: false },
    { type: 'turn-input', content, isSteering: true },
  ])
  expect(stderr).toBe('» faster\n')
})

test('lines are cut to the terminal', () => {
  const long = { ...call, args: { command: 'x'.repeat(200) } }
  const { stderr } = show([{ type: 'tool-start', call: long }], { columns: 30 })
  expect(stderr).toBe(`→ shell {"command":"${'x'.repeat(8)}…\n`)
})

test('on one screen a note begins a line of its own', () => {
  const { output, written } = captureOutput({ isTerminal: true })
  const sink = createOutputSink(output)
  sink.text('half')
  sink.note('note')
  sink.text('rest')
  sink.endText()
  sink.endText()
  expect(written).toEqual({ stdout: 'half\nrest\n', stderr: 'note\n' })
})

test('what is told while somebody is asked comes afterwards, in order', () => {
  const shown: string[] = []
  const sink = createHeldSink({
    text: (text) => shown.push(text),
    note: (line) => shown.push(line),
    endText: () => shown.push('|'),
  })
  sink.text('1')
  sink.hold()
  sink.text('2')
  sink.endText()
  sink.note('3')
  expect(shown).toEqual(['1'])
  sink.release()
  sink.text('4')
  expect(shown).toEqual(['1', '2', '|', '3', '4'])
})

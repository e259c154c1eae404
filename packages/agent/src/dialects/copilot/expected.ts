import type { JsonObject } from 'hookline/lifecycle'
import {
  asks,
  type Expectations,
  exits,
  failsOpen,
  hangs,
  keepsGoing,
  prints,
  proceeds,
  rejects,
  responds,
  type Said,
} from '../expectation.ts'

const strict = { strict: rejects() }
const ignored = { diagnostic: 'not-honoured' }
const adds = (additionalContext: string) => prints({ additionalContext })
const blocks = (reason: string) => prints({ decision: 'block', reason })
const progress = '{"type":"progress","message":"Looking."}\n'

function judges(permissionDecision: string, fields?: JsonObject): Said {
  return prints({ permissionDecision, ...fields })
}

function denies(permissionDecisionReason: string): Said {
  return judges('deny', { permissionDecisionReason })
}

const preToolUse: Expectations[string] = [
  ['denies', denies('Not here.'), rejects('Not here.')],
  [
    'denies without a reason',
    judges('deny'),
    rejects('', { diagnostic: 'sloppy-output' }),
  ],
  ['allows', judges('allow'), proceeds({ approves: true })],
  ['asks', judges('ask', { permissionDecisionReason: 'Sure?' }), asks('Sure?')],
  [
    'changes the arguments',
    judges('allow', { modifiedArgs: { command: 'ls' } }),
    proceeds({ value: { command: 'ls' }, approves: true }),
  ],
  [
    'denies after lines of progress',
    { stdout: `${progress}${progress}${denies('No.').stdout}` },
    rejects('No.'),
  ],
  [
    'allows after lines of progress',
    { stdout: `${progress}${judges('allow').stdout}` },
    proceeds({ approves: true, notice: 'Looking.' }),
  ],
  [
    'prints a log before and allows, which does not count',
    { stdout: `looking\n${judges('allow').stdout}` },
    failsOpen,
  ],
  [
    'prints a log before its document',
    { stdout: `looking\n${denies('No.').stdout}` },
    rejects('No.', { diagnostic: 'sloppy-output' }),
  ],
  ['exits with 2', exits(2, 'Stop there.'), rejects('Stop there.')],
  [
    'exits with 2 and allows',
    { exit: 2, stdout: '{"permissionDecision":"allow"}' },
    rejects('', { diagnostic: 'sloppy-output' }),
  ],
  ['fails', exits(1, 'Traceback'), rejects('It exited with 1.')],
  ['is no program', exits(127, 'not found'), rejects('exited with 127.')],
  ['takes too long', hangs, failsOpen, { ...strict, entry: { timeoutSec: 1 } }],
  ['prints text', prints('fine'), failsOpen, strict],
  ['has half a document', prints('{"permission'), failsOpen, strict],
  ['says nothing', prints(''), proceeds()],
]

/** What hooks of Copilot come to, from section 7 of the notes. */
export const expected: Expectations = {
  sessionStart: [
    ['adds', adds('Use yarn.'), proceeds({ context: 'Use yarn.' })],
    ['prints text', prints('Hello.'), proceeds()],
    ['fails', exits(1), failsOpen],
  ],
  sessionEnd: [['says something', adds('Bye.'), proceeds(ignored)]],
  userPromptSubmitted: [
    [
      'changes the prompt, which only code can',
      prints({ modifiedPrompt: 'x' }),
      proceeds(ignored),
    ],
    ['exits with 2, which blocks nothing', exits(2, 'No.'), failsOpen],
    ['says nothing', prints(''), proceeds()],
  ],
  userPromptTransformed: [
    [
      'changes what the model reads',
      prints({ modifiedTransformedPrompt: 'Politely, please.' }),
      proceeds({ value: [{ type: 'text', text: 'Politely, please.' }] }),
    ],
    ['fails', exits(1), failsOpen],
  ],
  preToolUse,
  permissionRequest: [
    ['allows', prints({ behavior: 'allow' }), responds({ type: 'allow' })],
    [
      'denies',
      prints({ behavior: 'deny', message: 'Never.' }),
      responds({ type: 'deny', reason: 'Never.' }),
    ],
    [
      'denies and interrupts, which we do not',
      prints({ behavior: 'deny', message: 'Never.', interrupt: true }),
      responds({ type: 'deny', reason: 'Never.' }, ignored),
    ],
    ['exits with 2', exits(2, 'x'), responds({ type: 'deny' })],
    ['fails', exits(1), failsOpen, { strict: responds({ type: 'deny' }) }],
    ['says nothing', prints(''), proceeds()],
  ],
  postToolUse: [
    ['adds', adds('Neat.'), proceeds({ context: 'Neat.' })],
    [
      'changes the result',
      prints({
        modifiedResult: { resultType: 'success', textResultForLlm: 'Cut.' },
      }),
      proceeds({
        value: { content: [{ type: 'text', text: 'Cut.' }], isError: false },
      }),
    ],
    ['fails', exits(1), failsOpen],
    ['exits with 2, which warns', exits(2, 'x'), proceeds({ notice: 'x' })],
  ],
  postToolUseFailure: [
    [
      'exits with 2',
      { exit: 2, stdout: 'Try npm ci.' },
      proceeds({ context: 'Try npm ci.' }),
    ],
    ['says nothing', prints(''), proceeds()],
    ['fails', exits(1), failsOpen],
  ],
  agentStop: [
    ['blocks', blocks('Run the tests.'), keepsGoing('Run the tests.')],
    ['exits with 2, which warns', exits(2, 'x'), proceeds({ notice: 'x' })],
    ['fails', exits(1), failsOpen],
  ],
  subagentStart: [['adds', adds('Brief.'), proceeds({ context: 'Brief.' })]],
  subagentStop: [
    ['blocks', blocks('Sources?'), keepsGoing('Sources?')],
    [
      'changes the response, which we do not',
      prints({ modifiedResponse: 'x' }),
      proceeds(ignored),
    ],
  ],
  errorOccurred: [
    ['says something', adds('x'), proceeds(ignored)],
    ['says nothing', prints(''), proceeds(), { point: 'turn.error' }],
    ['says nothing', prints(''), proceeds(), { point: 'tool.post_call' }],
  ],
  preCompact: [['says something', adds('x'), proceeds(ignored)]],
  notification: [['adds, and nobody waits', adds('x'), proceeds()]],
  // The same in the names of Claude Code.
  SessionStart: [
    ['adds', adds('Use yarn.'), proceeds({ context: 'Use yarn.' })],
  ],
  SessionEnd: [['says nothing', prints(''), proceeds()]],
  UserPromptSubmit: [['exits with 2', exits(2, 'No.'), failsOpen]],
  PreToolUse: preToolUse,
  PostToolUse: [['adds', adds('Neat.'), proceeds({ context: 'Neat.' })]],
  Stop: [['blocks', blocks('Go on.'), keepsGoing('Go on.')]],
  PermissionRequest: [
    ['allows', prints({ behavior: 'allow' }), responds({ type: 'allow' })],
    ['exits with 2', exits(2), responds({ type: 'deny' })],
  ],
  PostToolUseFailure: [
    [
      'exits with 2',
      { exit: 2, stdout: 'Try npm ci.' },
      proceeds({ context: 'Try npm ci.' }),
    ],
  ],
  SubagentStart: [['adds', adds('Brief.'), proceeds({ context: 'Brief.' })]],
  ErrorOccurred: [['says nothing', prints(''), proceeds()]],
  Notification: [['adds, and nobody waits', adds('x'), proceeds()]],
  SubagentStop: [['blocks', blocks('Go on.'), keepsGoing('Go on.')]],
  PreCompact: [['says nothing', prints(''), proceeds()]],
}

import type { JsonObject } from 'hookline/lifecycle'
import {
  asks,
  type Expectations,
  endsTurn,
  exits,
  failsOpen,
  hangs,
  keepsGoing,
  prints,
  proceeds,
  rejects,
  responds,
} from '../expectation.ts'

const strict = { strict: rejects() }
/** Codex marks such a hook as failed; we take what it says, and say so. */
const refused = { diagnostic: 'sloppy-output' }
const stops = (stopReason: string) => prints({ continue: false, stopReason })
const blocks = (reason: string) => prints({ decision: 'block', reason })
const tells = (systemMessage: string) => prints({ systemMessage })

function output(hookEventName: string, fields: JsonObject, more?: JsonObject) {
  return prints({ hookSpecificOutput: { hookEventName, ...fields }, ...more })
}

function adds(event: string, additionalContext: string) {
  return output(event, { additionalContext })
}

function judges(permissionDecision: string, fields?: JsonObject) {
  return output('PreToolUse', { permissionDecision, ...fields })
}

function permits(decision: JsonObject) {
  return output('PermissionRequest', { decision })
}

/** What hooks of Codex come to, from section 3 of the notes. */
export const expected: Expectations = {
  SessionStart: [
    [
      'adds',
      adds('SessionStart', 'Use pnpm.'),
      proceeds({ context: 'Use pnpm.' }),
    ],
    ['prints text', prints('On main.\n'), proceeds({ context: 'On main.' })],
    ['stops', stops('Not on main.'), proceeds({ ends: 'Not on main.' })],
    ['tells the user', tells('Hello.'), proceeds({ notice: 'Hello.' })],
    ['fails', exits(1, 'no git'), failsOpen],
    ['exits with 2, which blocks nothing', exits(2, 'no git'), failsOpen],
    [
      'follows a compaction',
      prints('Mind the plan.'),
      proceeds({ context: 'Mind the plan.' }),
      { point: 'compaction.post' },
    ],
  ],
  UserPromptSubmit: [
    ['blocks', blocks('Has a key.'), rejects('Has a key.')],
    ['exits with 2', exits(2, 'Not now.'), rejects('Not now.')],
    ['exits with 2 in silence', exits(2), failsOpen, strict],
    ['stops', stops('Enough.'), rejects('Enough.')],
    ['adds', adds('UserPromptSubmit', 'Late.'), proceeds({ context: 'Late.' })],
    ['prints text', prints('See HL-12'), proceeds({ context: 'See HL-12' })],
    ['tells the user', tells('Hi.'), proceeds({ notice: 'Hi.' })],
    ['has half a document', prints('{"decision":"blo'), failsOpen, strict],
    ['fails', exits(1), failsOpen, strict],
    [
      'blocks with a key too many',
      prints({ decision: 'block', reason: 'No.', extra: 1 }),
      rejects('No.', refused),
    ],
  ],
  PreToolUse: [
    [
      'denies',
      judges('deny', { permissionDecisionReason: 'Not here.' }),
      rejects('Not here.'),
    ],
    ['denies without a reason', judges('deny'), rejects('', refused)],
    ['blocks in the old way', blocks('Old way.'), rejects('Old way.')],
    ['exits with 2', exits(2, 'Stop there.'), rejects('Stop there.')],
    ['exits with 2 in silence', exits(2), failsOpen, strict],
    [
      'exits with 2 as its script is missing',
      exits(2, "python3: can't open file 'guard.py'"),
      rejects('', { diagnostic: 'accidental-exit' }),
    ],
    [
      'changes the arguments',
      judges('allow', { updatedInput: { command: 'ls' } }),
      proceeds({ value: { command: 'ls' }, approves: true }),
    ],
    ['allows without a change', judges('allow'), proceeds(refused)],
    [
      'approves in the old way',
      prints({ decision: 'approve' }),
      proceeds(refused),
    ],
    [
      'asks',
      judges('ask', { permissionDecisionReason: 'Sure?' }),
      asks('Sure?', refused),
    ],
    ['stops', stops('Over.'), endsTurn('Over.', refused)],
    ['adds', adds('PreToolUse', 'Mind it.'), proceeds({ context: 'Mind it.' })],
    [
      'denies with a key too many',
      prints({ decision: 'block', reason: 'No.', tool_name: 'Bash' }),
      rejects('No.', refused),
    ],
    ['prints text', prints('fine by me'), proceeds()],
    ['says nothing', prints(''), proceeds()],
    ['has half a document', prints('{"hookSpec'), failsOpen, strict],
    ['fails', exits(1, 'Traceback'), failsOpen, strict],
    ['is no program', exits(127, 'not found'), failsOpen, strict],
    ['takes too long', hangs, failsOpen, { ...strict, entry: { timeout: 1 } }],
  ],
  PermissionRequest: [
    ['allows', permits({ behavior: 'allow' }), responds({ type: 'allow' })],
    [
      'denies',
      permits({ behavior: 'deny', message: 'Never.' }),
      responds({ type: 'deny', reason: 'Never.' }),
    ],
    [
      'exits with 2',
      exits(2, 'Not me.'),
      responds({ type: 'deny', reason: 'Not me.' }),
    ],
    [
      'allows with a change, which Codex does not take',
      permits({ behavior: 'allow', updatedInput: { command: 'ls' } }),
      proceeds(refused),
    ],
    ['says nothing', prints(''), proceeds()],
    ['fails', exits(1), failsOpen, { strict: responds({ type: 'deny' }) }],
  ],
  PostToolUse: [
    ['blocks', blocks('Lint.'), proceeds({ context: 'Lint.' })],
    ['exits with 2', exits(2, 'Types.'), proceeds({ context: 'Types.' })],
    ['stops', stops('Done.'), endsTurn('Done.')],
    ['adds', adds('PostToolUse', 'Neat.'), proceeds({ context: 'Neat.' })],
    ['tells the user', tells('Neat.'), proceeds({ notice: 'Neat.' })],
    [
      'has another result, which Codex does not take',
      output('PostToolUse', { updatedToolOutput: 'x' }),
      proceeds(refused),
    ],
    ['fails', exits(1), failsOpen],
  ],
  PreCompact: [
    ['stops', stops('Keep it.'), rejects('Keep it.')],
    ['tells the user', tells('Saved.'), proceeds({ notice: 'Saved.' })],
    ['fails', exits(1), failsOpen],
  ],
  PostCompact: [
    ['tells the user', tells('Shorter.'), proceeds({ notice: 'Shorter.' })],
    ['stops too late', stops(''), proceeds({ diagnostic: 'not-honoured' })],
  ],
  SubagentStart: [
    ['adds', adds('SubagentStart', 'Brief.'), proceeds({ context: 'Brief.' })],
    ['prints text', prints('Be exact.'), proceeds({ context: 'Be exact.' })],
    ['fails', exits(1), failsOpen],
  ],
  SubagentStop: [
    ['blocks', blocks('Sources?'), keepsGoing('Sources?')],
    ['exits with 2', exits(2, 'Not done.'), keepsGoing('Not done.')],
    ['fails', exits(1), failsOpen],
  ],
  Stop: [
    ['blocks', blocks('Run the tests.'), keepsGoing('Run the tests.')],
    ['exits with 2', exits(2, 'Red.'), keepsGoing('Red.')],
    [
      'stops, which beats a block',
      prints({ continue: false, decision: 'block', reason: 'Go on.' }),
      proceeds(),
    ],
    ['prints text', prints('all good'), failsOpen],
    ['tells the user', tells('3 s.'), proceeds({ notice: '3 s.' })],
    ['fails', exits(1), failsOpen],
  ],
  SessionEnd: [
    ['says something', tells('Bye.'), proceeds({ diagnostic: 'not-honoured' })],
    ['fails', exits(1), failsOpen],
  ],
  Interrupt: [
    ['tells the user', tells('Half way.'), proceeds({ notice: 'Half way.' })],
  ],
}

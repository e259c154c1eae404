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
} from '../expectation.ts'

const strict = { strict: rejects() }
/** Anything but 0 and 2 is a warning. */
const warns = proceeds({ notice: 'x', diagnostic: 'failed-open' })
const stops = (stopReason: string) => prints({ continue: false, stopReason })
const blocks = (reason: string) => prints({ decision: 'block', reason })
const tells = (systemMessage: string) => prints({ systemMessage })

function output(hookEventName: string, fields: JsonObject) {
  return prints({ hookSpecificOutput: { hookEventName, ...fields } })
}

function adds(event: string, additionalContext: string) {
  return output(event, { additionalContext })
}

function judges(permissionDecision: string, fields?: JsonObject) {
  return output('PreToolUse', { permissionDecision, ...fields })
}

/** What hooks of VS Code come to, from section 8 of the notes. */
export const expected: Expectations = {
  SessionStart: [
    [
      'adds',
      adds('SessionStart', 'Use npm.'),
      proceeds({ context: 'Use npm.' }),
    ],
    ['stops', stops('Not here.'), proceeds({ ends: 'Not here.' })],
    ['tells the user', tells('Hello.'), proceeds({ notice: 'Hello.' })],
    ['fails', exits(1, 'x'), warns],
  ],
  UserPromptSubmit: [
    ['exits with 2', exits(2, 'Has a key.'), rejects('Has a key.')],
    ['blocks', blocks('Has a key.'), rejects('Has a key.')],
    ['stops', stops('Enough.'), rejects('Enough.')],
    ['adds', adds('UserPromptSubmit', 'Late.'), proceeds({ context: 'Late.' })],
    ['tells the user', tells('Hi.'), proceeds({ notice: 'Hi.' })],
    ['fails', exits(1, 'x'), warns, strict],
  ],
  PreToolUse: [
    [
      'denies',
      judges('deny', { permissionDecisionReason: 'Not here.' }),
      rejects('Not here.'),
    ],
    [
      'asks',
      judges('ask', { permissionDecisionReason: 'Sure?' }),
      asks('Sure?'),
    ],
    ['allows', judges('allow'), proceeds({ approves: true })],
    [
      'changes the arguments',
      judges('allow', { updatedInput: { command: 'ls' } }),
      proceeds({ value: { command: 'ls' }, approves: true }),
    ],
    ['adds', adds('PreToolUse', 'Mind it.'), proceeds({ context: 'Mind it.' })],
    ['exits with 2', exits(2, 'Stop there.'), rejects('Stop there.')],
    [
      'exits with 2 and allows',
      { ...judges('allow'), exit: 2 },
      rejects('', { diagnostic: 'sloppy-output' }),
    ],
    ['stops', stops('Over.'), endsTurn('Over.')],
    ['fails', exits(1, 'x'), warns, strict],
    ['is no program', exits(127, 'x'), warns, strict],
    ['takes too long', hangs, failsOpen, { ...strict, entry: { timeout: 1 } }],
    ['has half a document', prints('{"hookSpec'), failsOpen, strict],
    ['says nothing', prints(''), proceeds()],
  ],
  PostToolUse: [
    ['blocks', blocks('Lint.'), proceeds({ context: 'Lint.' })],
    ['exits with 2', exits(2, 'Types.'), proceeds({ context: 'Types.' })],
    ['adds', adds('PostToolUse', 'Neat.'), proceeds({ context: 'Neat.' })],
    ['stops', stops('Over.'), endsTurn('Over.')],
    ['fails', exits(1, 'x'), warns],
  ],
  PreCompact: [
    ['stops', stops('Keep it.'), rejects('Keep it.')],
    ['tells the user', tells('Saved.'), proceeds({ notice: 'Saved.' })],
    ['fails', exits(1, 'x'), warns],
  ],
  SubagentStart: [
    ['adds', adds('SubagentStart', 'Brief.'), proceeds({ context: 'Brief.' })],
  ],
  SubagentStop: [
    ['blocks', blocks('Sources?'), keepsGoing('Sources?')],
    ['exits with 2', exits(2, 'Not done.'), keepsGoing('Not done.')],
  ],
  Stop: [
    ['blocks', blocks('Run the tests.'), keepsGoing('Run the tests.')],
    [
      'blocks inside',
      output('Stop', { decision: 'block', reason: 'Run the tests.' }),
      keepsGoing('Run the tests.'),
    ],
    ['exits with 2', exits(2, 'Red.'), keepsGoing('Red.')],
    ['stops', stops('Enough.'), proceeds()],
    ['fails', exits(1, 'x'), warns],
  ],
}

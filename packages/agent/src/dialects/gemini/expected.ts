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
  type Said,
} from '../expectation.ts'

const strict = { strict: rejects() }
const ignored = { diagnostic: 'not-honoured' }
const stops = (stopReason: string) => prints({ continue: false, stopReason })
const denies = (reason: string) => prints({ decision: 'deny', reason })
const tells = (systemMessage: string) => prints({ systemMessage })

function output(hookEventName: string, fields: JsonObject) {
  return prints({ hookSpecificOutput: { hookEventName, ...fields } })
}

function adds(event: string, additionalContext: string) {
  return output(event, { additionalContext })
}

/** What is on the other channel counts when there is nothing on the first. */
function onStderr(document: JsonObject, exit = 0): Said {
  return { exit, stderr: JSON.stringify(document) }
}

const request = {
  model: 'gemini-2.5-pro',
  messages: [{ role: 'user', content: 'Say hello.' }],
}

const reply = {
  candidates: [{ content: { role: 'model', parts: ['Canned.'] } }],
}

/** What hooks of Gemini CLI come to, from section 4 of the notes. */
export const expected: Expectations = {
  SessionStart: [
    [
      'adds',
      adds('SessionStart', 'Use npm.'),
      proceeds({ context: 'Use npm.' }),
    ],
    ['prints text', prints('Hello.'), proceeds({ notice: 'Hello.' })],
    ['tells the user', tells('Hello.'), proceeds({ notice: 'Hello.' })],
    ['denies, which it cannot', denies('No.'), proceeds(ignored)],
  ],
  SessionEnd: [
    ['says something', tells('Bye.'), proceeds(ignored)],
    ['fails', exits(1), failsOpen],
  ],
  BeforeAgent: [
    ['adds', adds('BeforeAgent', 'HL-12'), proceeds({ context: 'HL-12' })],
    ['denies', denies('Has a key.'), rejects('Has a key.')],
    ['blocks', prints({ decision: 'block', reason: 'No.' }), rejects('No.')],
    ['stops', stops('Enough.'), rejects('Enough.')],
    ['exits with 2', exits(2, 'Not now.'), rejects('Not now.')],
    ['exits with 3', exits(3, 'Not now.'), rejects('Not now.')],
    ['fails', exits(1), failsOpen, strict],
    ['prints text', prints('Noted.'), proceeds({ notice: 'Noted.' })],
  ],
  AfterAgent: [
    ['denies', denies('Run the tests.'), keepsGoing('Run the tests.')],
    ['exits with 2', exits(2, 'Red.'), keepsGoing('Red.')],
    ['stops', stops('Enough.'), proceeds()],
    ['tells the user', tells('3 s.'), proceeds({ notice: '3 s.' })],
    [
      'clears the conversation, which we do not',
      output('AfterAgent', { clearContext: true }),
      proceeds(ignored),
    ],
  ],
  BeforeModel: [
    [
      'changes the request',
      output('BeforeModel', { llm_request: request }),
      proceeds({
        value: {
          model: 'gemini-2.5-pro',
          messages: [
            // What Gemini has as its instruction is no message there.
            {
              role: 'system',
              content: [{ type: 'text', text: 'Be kind.' }],
            },
            { role: 'user', content: [{ type: 'text', text: 'Say hello.' }] },
          ],
        },
      }),
    ],
    [
      'answers itself',
      output('BeforeModel', { llm_response: reply }),
      responds({
        content: [{ type: 'text', text: 'Canned.' }],
        stopReason: 'end_turn',
      }),
    ],
    ['denies', denies('Too dear.'), rejects('Too dear.')],
    ['stops', stops('Over.'), endsTurn('Over.')],
    ['exits with 2', exits(2, 'No.'), rejects('No.')],
    ['fails', exits(1), failsOpen, strict],
  ],
  AfterModel: [
    [
      'changes the reply',
      output('AfterModel', { llm_response: reply }),
      // Only text is in a reply that hooks see; the rest stays.
      proceeds({
        value: {
          content: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'text', text: 'Canned.' },
          ],
        },
      }),
    ],
    ['denies', denies('A secret.'), rejects('A secret.')],
    ['stops', stops('Over.'), endsTurn('Over.')],
  ],
  BeforeToolSelection: [
    [
      'leaves some of the tools',
      output('BeforeToolSelection', {
        toolConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] },
      }),
      proceeds({
        value: {
          tools: [{ name: 'read' }],
          settings: { toolChoice: 'required' },
        },
      }),
    ],
    [
      'leaves none',
      output('BeforeToolSelection', { toolConfig: { mode: 'NONE' } }),
      proceeds({ value: { tools: [], settings: { toolChoice: 'none' } } }),
    ],
    ['denies, which it cannot', denies('No.'), proceeds(ignored)],
  ],
  BeforeTool: [
    ['denies', denies('Not here.'), rejects('Not here.')],
    ['blocks', prints({ decision: 'block', reason: 'No.' }), rejects('No.')],
    [
      'denies in the words of Claude Code, which it does not read',
      output('BeforeTool', { permissionDecision: 'deny' }),
      failsOpen,
      strict,
    ],
    ['asks', prints({ decision: 'ask', reason: 'Sure?' }), asks('Sure?')],
    ['allows', prints({ decision: 'allow' }), proceeds({ approves: true })],
    [
      'says so on the other channel',
      onStderr({ decision: 'deny', reason: 'No.' }),
      rejects('No.'),
    ],
    [
      'denies with 2 on the other channel',
      onStderr({ decision: 'deny', reason: 'No.' }, 2),
      rejects('No.'),
    ],
    [
      'says so in a text of a text',
      prints(
        JSON.stringify(JSON.stringify({ decision: 'deny', reason: 'No.' })),
      ),
      rejects('No.'),
    ],
    [
      'changes some of the arguments',
      output('BeforeTool', { tool_input: { command: 'ls' } }),
      proceeds({ value: { command: 'ls', description: 'Lists.' } }),
    ],
    ['stops', stops('Over.'), endsTurn('Over.')],
    ['exits with 2', exits(2, 'Stop there.'), rejects('Stop there.')],
    ['exits with 3', exits(3, 'Stop there.'), rejects('Stop there.')],
    ['is no program', exits(127, 'not found'), rejects('not found')],
    [
      'exits with 2 and allows',
      { exit: 2, stdout: '{"decision":"allow"}' },
      rejects('', { diagnostic: 'sloppy-output' }),
    ],
    [
      'exits with 1',
      exits(1, 'Traceback'),
      proceeds({ notice: 'Traceback', diagnostic: 'failed-open' }),
      strict,
    ],
    ['prints text', prints('fine'), proceeds({ notice: 'fine' })],
    ['says nothing', prints(''), proceeds()],
    ['has half a document', prints('{"decision":"de'), failsOpen, strict],
    [
      'takes too long',
      hangs,
      failsOpen,
      { ...strict, entry: { timeout: 300 } },
    ],
  ],
  AfterTool: [
    ['adds', adds('AfterTool', 'Neat.'), proceeds({ context: 'Neat.' })],
    ['denies', denies('A secret.'), rejects('A secret.')],
    ['exits with 2', exits(2, 'A key.'), rejects('A key.')],
    ['stops', stops('Over.'), endsTurn('Over.')],
    [
      'wants another call, which we do not make',
      output('AfterTool', { tailToolCallRequest: { name: 'x', args: {} } }),
      proceeds(ignored),
    ],
    [
      'adds to a failure',
      adds('AfterTool', 'Sorry.'),
      proceeds({ context: 'Sorry.' }),
      { moment: 'failure' },
    ],
    ['fails', exits(1), failsOpen, strict],
  ],
  PreCompress: [
    ['tells the user', tells('Saved.'), proceeds({ notice: 'Saved.' })],
    ['denies, which it cannot', denies('No.'), proceeds(ignored)],
  ],
  Notification: [['says something', denies('No.'), proceeds(ignored)]],
}

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
} from '../expectation.ts'

const strict = { strict: rejects() }
const ignored = { diagnostic: 'not-honoured' }
const closed = { entry: { failClosed: true } }
const allows = prints({ permission: 'allow' })

function denies(agent_message: string, fields?: JsonObject) {
  return prints({ permission: 'deny', agent_message, ...fields })
}

function follows(followup_message: string) {
  return prints({ followup_message })
}

/** What hooks of Cursor come to, from section 6 of the notes. */
export const expected: Expectations = {
  sessionStart: [
    [
      'adds',
      prints({ additional_context: 'Use bun.' }),
      proceeds({ context: 'Use bun.' }),
    ],
    ['sets variables', prints({ env: { TEAM: 'blue' } }), proceeds()],
    ['fails', exits(1), failsOpen],
  ],
  sessionEnd: [['says something', allows, proceeds(ignored)]],
  beforeSubmitPrompt: [
    [
      'blocks',
      prints({ continue: false, user_message: 'Has a key.' }),
      rejects('Has a key.'),
    ],
    ['lets it pass', prints({ continue: true }), proceeds()],
    ['exits with 2', exits(2, 'Not now.'), rejects('Not now.')],
    ['prints text', prints('fine'), failsOpen, strict],
    ['fails', exits(1), failsOpen, strict],
    ['fails closed', exits(1), rejects(), closed],
    [
      'adds, which nobody has written down',
      prints({ continue: true, additional_context: 'HL-12' }),
      proceeds({ context: 'HL-12' }),
    ],
  ],
  preToolUse: [
    ['denies', denies('Not here.'), rejects('Not here.')],
    [
      'denies and tells the user',
      denies('Not here.', { user_message: 'Denied.' }),
      rejects('Not here.', { notice: 'Denied.' }),
    ],
    [
      'denies in the older spelling',
      prints({
        permission: 'deny',
        agentMessage: 'No.',
        userMessage: 'Denied.',
      }),
      rejects('No.', { notice: 'Denied.' }),
    ],
    ['allows', allows, proceeds({ approves: true })],
    [
      'asks, which Cursor does not do here',
      prints({ permission: 'ask', user_message: 'Sure?' }),
      proceeds({ diagnostic: 'not-honoured' }),
      { strict: asks('Sure?') },
    ],
    [
      'changes the arguments',
      prints({ permission: 'allow', updated_input: { command: 'ls' } }),
      proceeds({ value: { command: 'ls' }, approves: true }),
    ],
    ['exits with 2', exits(2, 'Stop there.'), rejects('Stop there.')],
    [
      'exits with 2 and allows',
      { exit: 2, stdout: '{"permission":"allow"}' },
      rejects('', { diagnostic: 'sloppy-output' }),
    ],
    ['prints text', prints('fine'), failsOpen, strict],
    ['says nothing', prints(''), proceeds()],
    ['has half a document', prints('{"permission":"de'), failsOpen, strict],
    ['fails', exits(1), failsOpen, strict],
    ['fails closed', exits(1), rejects(), closed],
    ['prints text and is closed', prints('fine'), rejects(), closed],
    ['takes too long', hangs, failsOpen, { ...strict, entry: { timeout: 1 } }],
    [
      'takes too long and is closed',
      hangs,
      rejects(),
      { entry: { timeout: 1, failClosed: true } },
    ],
  ],
  postToolUse: [
    [
      'adds',
      prints({ additional_context: 'Neat.' }),
      proceeds({ context: 'Neat.' }),
    ],
    [
      'changes the result of an MCP tool',
      prints({ updated_mcp_tool_output: { text: 'Cut.' } }),
      proceeds({
        value: {
          content: [{ type: 'text', text: '{"text":"Cut."}' }],
          isError: false,
        },
      }),
      { moment: 'mcp' },
    ],
    [
      'changes the result of another tool, which it cannot',
      prints({ updated_mcp_tool_output: { text: 'Cut.' } }),
      proceeds(ignored),
    ],
    ['fails', exits(1), failsOpen],
  ],
  postToolUseFailure: [
    ['says something', prints({ additional_context: 'x' }), proceeds(ignored)],
  ],
  beforeShellExecution: [
    ['denies', denies('Not here.'), rejects('Not here.')],
    ['allows', allows, proceeds({ approves: true })],
    [
      'asks',
      prints({ permission: 'ask', user_message: 'Sure?' }),
      asks('Sure?'),
    ],
    ['exits with 2', exits(2, 'No.'), rejects('No.')],
    ['fails', exits(1), failsOpen, strict],
    ['fails closed', exits(1), rejects(), closed],
  ],
  afterShellExecution: [
    ['says something', prints({ permission: 'deny' }), proceeds(ignored)],
    ['says nothing', prints(''), proceeds()],
  ],
  beforeMCPExecution: [
    ['denies', denies('Not here.'), rejects('Not here.')],
    ['asks', prints({ permission: 'ask' }), asks()],
    ['exits with 2', exits(2, 'No.'), rejects('No.')],
    ['fails closed', exits(1), rejects(), closed],
  ],
  afterMCPExecution: [
    ['says something', prints({ permission: 'deny' }), proceeds(ignored)],
  ],
  beforeReadFile: [
    ['denies', denies('A secret.'), rejects('A secret.')],
    ['allows', allows, proceeds({ approves: true })],
    ['exits with 2', exits(2, 'No.'), rejects('No.')],
    [
      'asks, which it cannot',
      prints({ permission: 'ask' }),
      proceeds({ diagnostic: 'not-honoured' }),
      { strict: asks() },
    ],
  ],
  afterFileEdit: [
    ['says something', prints({ permission: 'deny' }), proceeds(ignored)],
  ],
  subagentStart: [
    ['denies', denies('Alone, please.'), rejects('Alone, please.')],
    ['allows', allows, proceeds()],
    ['exits with 2', exits(2, 'No.'), rejects('No.')],
    ['fails', exits(1), failsOpen, strict],
  ],
  subagentStop: [
    ['goes on', follows('Sources?'), keepsGoing('Sources?')],
    ['says nothing', prints('{}'), proceeds()],
  ],
  preCompact: [
    [
      'tells the user',
      prints({ user_message: 'Saved.' }),
      proceeds({ notice: 'Saved.' }),
    ],
    ['denies, which it cannot', denies('No.'), proceeds(ignored)],
  ],
  stop: [
    ['goes on', follows('Run the tests.'), keepsGoing('Run the tests.')],
    ['denies, which does nothing', denies('No.'), proceeds(ignored)],
    ['exits with 2, which does nothing', exits(2, 'Red.'), proceeds(ignored)],
    [
      'has gone on often enough',
      follows('Again.'),
      proceeds({ diagnostic: 'not-honoured' }),
      { entry: { loop_limit: 1 }, moment: 'again' },
    ],
    ['fails', exits(1), failsOpen],
  ],
  afterAgentResponse: [['says something', follows('x'), proceeds(ignored)]],
  afterAgentThought: [['says something', follows('x'), proceeds(ignored)]],
}

import {
  type Expectation,
  exits,
  failsOpen,
  hangs,
  keepsGoing,
  prints,
  proceeds,
  rejects,
} from '../../expectation.ts'

const context = (hookEventName: string, additionalContext: string) =>
  prints({ hookSpecificOutput: { hookEventName, additionalContext } })

export const userPromptSubmit: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  [
    'plain text is context',
    prints('Today is Monday.'),
    proceeds({ context: 'Today is Monday.' }),
  ],
  [
    'a list is plain text, and so context',
    prints('["a"]'),
    proceeds({ context: '["a"]' }),
  ],
  [
    'context as JSON',
    context('UserPromptSubmit', 'Sprint 12.'),
    proceeds({ context: 'Sprint 12.' }),
  ],
  [
    'block keeps the prompt out',
    prints({ decision: 'block', reason: 'It has a key in it.' }),
    rejects('It has a key in it.'),
  ],
  ['block without a reason', prints({ decision: 'block' }), rejects()],
  ['exit 2', exits(2, 'It has a key in it.'), rejects('It has a key in it.')],
  [
    'continue: false',
    prints({ continue: false, stopReason: 'Not now.' }),
    rejects('Not now.'),
  ],
  [
    'a title is not set here',
    prints({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        sessionTitle: 'Parser',
      },
    }),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
  [
    'a message for the user',
    prints({ systemMessage: 'Noted.' }),
    proceeds({ notice: 'Noted.' }),
  ],
  [
    'the prompt cannot be rewritten',
    prints({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        updatedPrompt: 'x',
      },
    }),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
  ['exit 1', exits(1, 'boom'), failsOpen, { strict: rejects() }],
  ['broken JSON', prints('{"decision":"blo'), failsOpen, { strict: rejects() }],
  ['no end in time', hangs, failsOpen, { strict: rejects() }],
]

const stops: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  ['plain text is only logged', prints('done'), proceeds()],
  [
    'block',
    prints({ decision: 'block', reason: 'Run the tests.' }),
    keepsGoing('Run the tests.'),
  ],
  [
    'block without a reason',
    prints({ decision: 'block' }),
    keepsGoing('', { diagnostic: 'sloppy-output' }),
  ],
  ['approve', prints({ decision: 'approve' }), proceeds()],
  ['exit 2', exits(2, 'Tests fail: 3.'), keepsGoing('Tests fail: 3.')],
  ['exit 2 and not a word', exits(2), keepsGoing()],
  [
    'continue: false beats block',
    prints({ continue: false, decision: 'block', reason: 'More.' }),
    proceeds(),
  ],
  [
    'a message for the user',
    prints({ systemMessage: 'All green.' }),
    proceeds({ notice: 'All green.' }),
  ],
  ['exit 1', exits(1, 'boom'), failsOpen],
  [
    'exit 1 where failures block: not here',
    exits(1, 'boom'),
    failsOpen,
    { entry: { onFailure: 'block' } },
  ],
  ['broken JSON', prints('{"decision":'), failsOpen],
  ['no end in time', hangs, failsOpen],
]

export const stop: readonly Expectation[] = [
  ...stops,
  [
    'context makes it go on',
    context('Stop', 'One file is not saved.'),
    keepsGoing('One file is not saved.'),
  ],
]

export const subagentStop: readonly Expectation[] = [
  ...stops,
  [
    'context makes it go on',
    context('SubagentStop', 'Name your sources.'),
    keepsGoing('Name your sources.'),
  ],
]

export const subagentStart: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  ['plain text is only logged', prints('hello'), proceeds()],
  [
    'context is for the sub-agent',
    context('SubagentStart', 'Read only.'),
    proceeds({ context: 'Read only.' }),
  ],
  ['exit 2 is for the user', exits(2, 'Odd.'), proceeds({ notice: 'Odd.' })],
  [
    'it cannot be refused',
    prints({ decision: 'block', reason: 'No.' }),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
  ['exit 1', exits(1, 'boom'), failsOpen],
]

export const stopFailure: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  [
    'exit 2 is ignored',
    exits(2, 'No.'),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
  [
    'nothing it prints has an effect',
    prints({ systemMessage: 'Down.', decision: 'block', reason: 'x' }),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
]

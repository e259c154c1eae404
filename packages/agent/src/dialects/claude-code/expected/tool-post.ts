import {
  type Expectation,
  endsTurn,
  exits,
  failsOpen,
  hangs,
  prints,
  proceeds,
} from '../../expectation.ts'

const text = (said: string) => [{ type: 'text', text: said }]
const post = (fields: Record<string, string | object>) =>
  prints({ hookSpecificOutput: { hookEventName: 'PostToolUse', ...fields } })

/** The result stays; what a hook says stands beside it. */
export const postToolUse: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  ['plain text is only logged', prints('formatted'), proceeds()],
  [
    'block is feedback',
    prints({ decision: 'block', reason: 'Lint fails.' }),
    proceeds({ context: 'Lint fails.' }),
  ],
  [
    'context',
    post({ additionalContext: 'Formatted by prettier.' }),
    proceeds({ context: 'Formatted by prettier.' }),
  ],
  [
    'another output, as text',
    post({ updatedToolOutput: '[masked]' }),
    proceeds({ value: { content: text('[masked]'), isError: false } }),
  ],
  [
    'another output of the shape of the tool',
    post({
      updatedToolOutput: { stdout: '[masked]', stderr: '', interrupted: false },
    }),
    proceeds({
      value: {
        content: text('[masked]'),
        isError: false,
        data: { stdout: '[masked]', stderr: '', interrupted: false },
      },
    }),
  ],
  [
    'another output of another shape is ignored',
    post({ updatedToolOutput: { lines: 3 } }),
    proceeds({ diagnostic: 'wrong-shape' }),
  ],
  [
    'continue: false ends the turn',
    prints({ continue: false, stopReason: 'Tests are red.' }),
    endsTurn('Tests are red.'),
  ],
  [
    'a message for the user',
    prints({ systemMessage: 'Saved.' }),
    proceeds({ notice: 'Saved.' }),
  ],
  [
    'a permission decision comes too late',
    post({ permissionDecision: 'deny', permissionDecisionReason: 'No.' }),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
  [
    'exit 2 is feedback',
    exits(2, 'Type errors.'),
    proceeds({ context: 'Type errors.' }),
  ],
  [
    'exit 1',
    exits(1, 'no formatter'),
    proceeds({ diagnostic: 'failed-open', notice: 'no formatter' }),
    { strict: proceeds({ context: 'no formatter' }) },
  ],
  ['broken JSON', prints('{"decision"'), failsOpen],
  ['no end in time', hangs, failsOpen],
]

export const postToolUseFailure: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  [
    'context',
    prints({
      hookSpecificOutput: {
        hookEventName: 'PostToolUseFailure',
        additionalContext: 'Run npm install first.',
      },
    }),
    proceeds({ context: 'Run npm install first.' }),
  ],
  [
    'block is feedback',
    prints({ decision: 'block', reason: 'Use pnpm.' }),
    proceeds({ context: 'Use pnpm.' }),
  ],
  [
    'exit 2 is feedback',
    exits(2, 'Use pnpm.'),
    proceeds({ context: 'Use pnpm.' }),
  ],
  ['exit 1', exits(1, 'boom'), failsOpen],
  [
    'continue: false ends the turn',
    prints({ continue: false, stopReason: 'Broken.' }),
    endsTurn('Broken.'),
  ],
]

export const postToolBatch: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  [
    'block ends the loop before the next model call',
    prints({ decision: 'block', reason: 'Budget is used up.' }),
    endsTurn('Budget is used up.'),
  ],
  ['exit 2 does the same', exits(2, 'Enough.'), endsTurn('Enough.')],
  [
    'context',
    prints({
      hookSpecificOutput: {
        hookEventName: 'PostToolBatch',
        additionalContext: 'Three files changed.',
      },
    }),
    proceeds({ context: 'Three files changed.' }),
  ],
  [
    'continue: false ends the turn',
    prints({ continue: false, stopReason: 'Stop.' }),
    endsTurn('Stop.'),
  ],
  ['exit 1', exits(1, 'boom'), failsOpen, { strict: endsTurn() }],
]

import {
  type Expectation,
  exits,
  failsOpen,
  hangs,
  prints,
  proceeds,
  rejects,
} from '../../expectation.ts'

export const sessionStart: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  [
    'plain text is context',
    prints('Branch: main'),
    proceeds({ context: 'Branch: main' }),
  ],
  [
    'context as JSON',
    prints({
      hookSpecificOutput: {
        hookEventName: 'SessionStart',
        additionalContext: 'Two issues are open.',
      },
    }),
    proceeds({ context: 'Two issues are open.' }),
  ],
  [
    'after a compaction the same',
    prints('Remember the plan.'),
    proceeds({ context: 'Remember the plan.' }),
    { point: 'compaction.post' },
  ],
  [
    'exit 2 is for the user',
    exits(2, 'No git.'),
    proceeds({ notice: 'No git.' }),
  ],
  [
    'it cannot be refused',
    prints({ decision: 'block', reason: 'No.' }),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
  [
    'what only the product itself can do',
    prints({
      hookSpecificOutput: {
        hookEventName: 'SessionStart',
        sessionTitle: 'T',
        watchPaths: [],
      },
    }),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
  [
    'exit 1',
    exits(1, 'boom'),
    proceeds({ diagnostic: 'failed-open', notice: 'boom' }),
  ],
  ['no end in time', hangs, failsOpen],
]

export const sessionEnd: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  [
    'exit 2 is for the user',
    exits(2, 'Not saved.'),
    proceeds({ notice: 'Not saved.' }),
  ],
  [
    'a message is discarded',
    prints({ systemMessage: 'Bye.' }),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
  ['exit 1', exits(1, 'boom'), failsOpen],
]

export const preCompact: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  ['plain text is only logged', prints('saved'), proceeds()],
  [
    'block',
    prints({ decision: 'block', reason: 'Not in the middle of a merge.' }),
    rejects('Not in the middle of a merge.'),
  ],
  ['exit 2', exits(2, 'Wait.'), rejects('Wait.')],
  [
    'a message is discarded',
    prints({ systemMessage: 'x', continue: false }),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
  ['exit 1', exits(1, 'boom'), failsOpen, { strict: rejects() }],
  ['no end in time', hangs, failsOpen, { strict: rejects() }],
]

export const postCompact: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  ['exit 2 is for the user', exits(2, 'Odd.'), proceeds({ notice: 'Odd.' })],
  [
    'context is not taken here',
    prints({
      hookSpecificOutput: {
        hookEventName: 'PostCompact',
        additionalContext: 'x',
      },
    }),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
]

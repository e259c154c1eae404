import type { JsonObject } from 'hookline/lifecycle'
import {
  type Expectation,
  exits,
  failsOpen,
  hangs,
  prints,
  proceeds,
  responds,
} from '../../expectation.ts'

const decides = (decision: JsonObject) =>
  prints({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
  })

/** It answers the question; without an answer the user is asked. */
export const permissionRequest: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  ['allow', decides({ behavior: 'allow' }), responds({ type: 'allow' })],
  [
    'deny',
    decides({ behavior: 'deny', message: 'Not today.' }),
    responds({ type: 'deny', reason: 'Not today.' }),
  ],
  [
    'deny without a word',
    decides({ behavior: 'deny' }),
    responds({ type: 'deny' }),
  ],
  [
    'allow with other arguments is an edit, judged anew',
    decides({ behavior: 'allow', updatedInput: { command: 'ls -l' } }),
    responds({ type: 'edit', args: { command: 'ls -l' } }),
  ],
  [
    'allow with the same arguments',
    decides({ behavior: 'allow', updatedInput: { command: 'ls' } }),
    responds({ type: 'allow' }),
  ],
  [
    'new rules are not taken over',
    decides({ behavior: 'allow', updatedPermissions: [] }),
    responds({ type: 'allow' }, { diagnostic: 'not-honoured' }),
  ],
  ['a behavior that there is not', decides({ behavior: 'yes' }), failsOpen],
  [
    'exit 2 is ignored',
    exits(2, 'No.'),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
  [
    'exit 2 is ignored, and a denial that is printed is not',
    {
      ...decides({ behavior: 'deny', message: 'Not today.' }),
      ...exits(2, 'No.'),
    },
    responds(
      { type: 'deny', reason: 'Not today.' },
      { diagnostic: 'not-honoured' },
    ),
  ],
  [
    'exit 2 leaves nothing of an allowance',
    { ...decides({ behavior: 'allow' }), ...exits(2, 'No.') },
    proceeds({ diagnostic: 'not-honoured' }),
  ],
  ['exit 1', exits(1, 'boom'), failsOpen],
  ['no end in time', hangs, failsOpen],
]

export const permissionDenied: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  [
    'a retry is told the model with the result of the call',
    prints({
      hookSpecificOutput: { hookEventName: 'PermissionDenied', retry: true },
    }),
    proceeds(),
  ],
  [
    'exit 2 is ignored',
    exits(2, 'No.'),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
]

export const notification: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  [
    'exit 2 is ignored',
    exits(2, 'No.'),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
  [
    'a message is discarded',
    prints({ systemMessage: 'Hello.', continue: false }),
    proceeds({ diagnostic: 'not-honoured' }),
  ],
  ['exit 1', exits(1, 'boom'), failsOpen],
]

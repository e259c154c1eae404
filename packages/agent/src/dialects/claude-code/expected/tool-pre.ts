import {
  asks,
  type Expectation,
  endsTurn,
  exits,
  failsOpen,
  hangs,
  prints,
  proceeds,
  rejects,
} from '../../expectation.ts'

const hookEventName = 'PreToolUse'

/** What a hook says about the permission, in the form of today. */
const decides = (
  permissionDecision: string,
  permissionDecisionReason?: string,
) => {
  const reason = permissionDecisionReason && { permissionDecisionReason }
  return {
    hookSpecificOutput: { hookEventName, permissionDecision, ...reason },
  }
}

const failsClosed = { strict: rejects() }

/** Sections 2.3, 2.5, 2.7 and 2.8 of the notes; rules 12 to 16 and 19. */
export const preToolUse: readonly Expectation[] = [
  ['nothing is said', exits(0), proceeds()],
  ['plain text is only logged', prints('looks fine'), proceeds()],
  ['a list is plain text', prints('["deny"]'), proceeds()],
  ['a quoted text is plain text', prints('"deny"'), proceeds()],
  ['an empty object decides nothing', prints('{}'), proceeds()],
  [
    'allow skips the question',
    prints(decides('allow', 'Known as safe.')),
    proceeds({ approves: true }),
  ],
  ['deny', prints(decides('deny', 'Not on main.')), rejects('Not on main.')],
  ['deny without a reason', prints(decides('deny')), rejects()],
  ['ask', prints(decides('ask', 'Really?')), asks('Really?')],
  ['ask without a reason', prints(decides('ask')), asks()],
  [
    'defer leaves it to a person',
    prints(decides('defer', 'Later.')),
    asks('Later.', { diagnostic: 'not-honoured' }),
  ],
  [
    'new arguments with allow',
    prints({
      hookSpecificOutput: {
        hookEventName,
        permissionDecision: 'allow',
        updatedInput: { command: 'ls -l' },
      },
    }),
    proceeds({ value: { command: 'ls -l' }, approves: true }),
  ],
  [
    'new arguments alone',
    prints({
      hookSpecificOutput: { hookEventName, updatedInput: { command: 'pwd' } },
    }),
    proceeds({ value: { command: 'pwd' } }),
  ],
  [
    'new arguments with ask',
    prints({
      hookSpecificOutput: {
        hookEventName,
        permissionDecision: 'ask',
        permissionDecisionReason: 'Changed.',
        updatedInput: { command: 'ls -l' },
      },
    }),
    asks('Changed.', { value: { command: 'ls -l' } }),
  ],
  [
    'new arguments with deny are denied',
    prints({
      hookSpecificOutput: {
        hookEventName,
        permissionDecision: 'deny',
        permissionDecisionReason: 'No.',
        updatedInput: { command: 'ls -l' },
      },
    }),
    rejects('No.'),
  ],
  [
    'new arguments that are no object are an invalid answer',
    prints({ hookSpecificOutput: { hookEventName, updatedInput: 'ls' } }),
    failsOpen,
    failsClosed,
  ],
  [
    'context',
    prints({
      hookSpecificOutput: { hookEventName, additionalContext: 'On branch x.' },
    }),
    proceeds({ context: 'On branch x.' }),
  ],
  [
    'the old approve',
    prints({ decision: 'approve', reason: 'ok' }),
    proceeds({ approves: true }),
  ],
  [
    'the old block',
    prints({ decision: 'block', reason: 'Old, but clear.' }),
    rejects('Old, but clear.'),
  ],
  [
    'the old approve beside a deny',
    prints({ decision: 'approve', ...decides('deny', 'No.') }),
    rejects('No.'),
  ],
  [
    'continue: false ends the turn',
    prints({ continue: false, stopReason: 'Enough.' }),
    endsTurn('Enough.'),
  ],
  [
    'continue: false beats allow',
    prints({ continue: false, stopReason: 'Enough.', ...decides('allow') }),
    endsTurn('Enough.'),
  ],
  [
    'a message for the user',
    prints({ systemMessage: 'Checked.' }),
    proceeds({ notice: 'Checked.' }),
  ],
  [
    'a message in the wrong place is shown all the same',
    prints({
      hookSpecificOutput: { hookEventName, systemMessage: 'Checked.' },
    }),
    proceeds({ notice: 'Checked.', diagnostic: 'sloppy-output' }),
  ],
  [
    'suppressOutput has no effect',
    prints({ suppressOutput: true }),
    proceeds(),
  ],
  [
    'unknown keys are ignored',
    prints({ session_id: 's', tool_name: 'Bash', extra: { a: 1 } }),
    proceeds(),
  ],
  [
    'a missing event name is forgiven',
    prints({
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: 'No name.',
      },
    }),
    rejects('No name.', { diagnostic: 'sloppy-output' }),
  ],
  [
    'a deny under another event name counts',
    prints({
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'Copied.',
      },
    }),
    rejects('Copied.', { diagnostic: 'sloppy-output' }),
  ],
  [
    'a decision that there is not',
    prints(decides('maybe')),
    failsOpen,
    failsClosed,
  ],
  [
    'a decision in capitals is none',
    prints(decides('Allow')),
    failsOpen,
    failsClosed,
  ],
  ['JSON that is cut off', prints('{"decision":"blo'), failsOpen, failsClosed],
  [
    'lines before the JSON',
    prints(`checking\n${JSON.stringify(decides('deny', 'Found.'))}`),
    rejects('Found.', { diagnostic: 'sloppy-output' }),
  ],
  [
    'lines before an allow make it none',
    prints(`checking\n${JSON.stringify(decides('allow'))}`),
    failsOpen,
  ],
  [
    'two documents: the last verdict counts',
    prints(
      `${JSON.stringify(decides('allow'))}\n${JSON.stringify(decides('deny', 'Second.'))}`,
    ),
    rejects('Second.', { diagnostic: 'sloppy-output' }),
  ],
  [
    'two documents: a deny is not taken back',
    prints(
      `${JSON.stringify(decides('deny', 'First.'))}\n${JSON.stringify(decides('allow'))}`,
    ),
    rejects('First.', { diagnostic: 'sloppy-output' }),
  ],
  ['exit 2', exits(2, 'Protected.'), rejects('Protected.')],
  ['exit 2 and not a word', exits(2), rejects()],
  [
    'exit 2 beats allow',
    { ...prints(decides('allow')), ...exits(2, 'Still no.') },
    rejects('Still no.'),
  ],
  [
    'exit 2 with a reason as JSON',
    { ...prints(decides('deny', 'By JSON.')), ...exits(2, 'By stderr.') },
    rejects('By JSON.'),
  ],
  [
    'exit 2 with context',
    {
      ...prints({
        hookSpecificOutput: { hookEventName, additionalContext: 'Why: x.' },
      }),
      ...exits(2, 'No.'),
    },
    rejects('No.', { context: 'Why: x.' }),
  ],
  [
    'exit 2 with JSON that is invalid',
    { ...prints(decides('maybe')), ...exits(2, 'No.') },
    rejects('No.'),
  ],
  [
    'exit 2 with JSON on stderr',
    exits(2, '{"reason":"In JSON."}'),
    rejects('In JSON.'),
  ],
  [
    'exit 2 of a script that is missing',
    exits(2, "python3: can't open file '/x/guard.py': [Errno 2]"),
    rejects("can't open file", {
      diagnostic: 'accidental-exit',
      notice: 'could not run',
    }),
  ],
  [
    'exit 2 of a shell that cannot read the script',
    exits(2, 'bash: -c: line 1: syntax error near unexpected token `('),
    rejects('syntax error', { diagnostic: 'accidental-exit' }),
  ],
  [
    'exit 1 is not a block',
    exits(1, 'boom\nsecond line'),
    proceeds({ diagnostic: 'failed-open', notice: 'boom' }),
    { strict: rejects() },
  ],
  [
    'exit 1 with JSON: the JSON decides',
    { ...prints(decides('deny', 'By JSON.')), exit: 1 },
    rejects('By JSON.'),
  ],
  [
    'exit 1 with JSON that allows',
    { ...prints(decides('allow')), exit: 1 },
    proceeds({ approves: true }),
  ],
  ['exit 126', exits(126, 'Permission denied'), failsOpen, failsClosed],
  ['exit 127', exits(127, 'not found'), failsOpen, failsClosed],
  ['no end in time', hangs, failsOpen, failsClosed],
  [
    'exit 1 where failures block',
    exits(1, 'boom'),
    rejects('boom', { diagnostic: 'failed-closed' }),
    { entry: { onFailure: 'block' } },
  ],
  [
    'broken JSON where failures block',
    prints('{"decision":'),
    rejects('', { diagnostic: 'failed-closed' }),
    { entry: { onFailure: 'block' } },
  ],
  [
    'no end in time where failures block',
    hangs,
    rejects('', { diagnostic: 'failed-closed' }),
    { entry: { onFailure: 'block' } },
  ],
  [
    'a failure that may pass by its own word',
    exits(1, 'boom'),
    failsOpen,
    { entry: { onFailure: 'continue' }, strict: rejects() },
  ],
]

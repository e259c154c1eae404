import { testExpectations } from '../fixtures/expectation-tests.ts'
import { cursor } from './cursor.ts'
import { expected } from './expected.ts'
import { expectedStdin } from './expected-stdin.ts'

testExpectations({
  dialect: cursor,
  table: expected,
  stdin: expectedStdin,
  variables: [
    'CURSOR_PROJECT_DIR',
    'CURSOR_VERSION',
    'CURSOR_USER_EMAIL',
    'CURSOR_TRANSCRIPT_PATH',
    'CURSOR_CODE_REMOTE',
    'CLAUDE_PROJECT_DIR',
  ],
  fileName: '.cursor/hooks.json',
})

import { testExpectations } from '../fixtures/expectation-tests.ts'
import { expected } from './expected.ts'
import { expectedStdin } from './expected-stdin.ts'
import { gemini } from './gemini.ts'

testExpectations({
  dialect: gemini,
  table: expected,
  stdin: expectedStdin,
  variables: [
    'GEMINI_PROJECT_DIR',
    'GEMINI_PLANS_DIR',
    'GEMINI_CWD',
    'GEMINI_SESSION_ID',
    'CLAUDE_PROJECT_DIR',
  ],
  fileName: '.gemini/settings.json',
})

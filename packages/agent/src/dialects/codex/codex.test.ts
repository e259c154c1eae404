import { testExpectations } from '../fixtures/expectation-tests.ts'
import { codex } from './codex.ts'
import { expected } from './expected.ts'
import { expectedStdin } from './expected-stdin.ts'

testExpectations({
  dialect: codex,
  table: expected,
  stdin: expectedStdin,
  variables: ['CLAUDE_PROJECT_DIR'],
  fileName: '.codex/hooks.json',
})

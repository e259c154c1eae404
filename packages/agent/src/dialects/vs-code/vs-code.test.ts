import { testExpectations } from '../fixtures/expectation-tests.ts'
import { expected } from './expected.ts'
import { expectedStdin } from './expected-stdin.ts'
import { vsCode } from './vs-code.ts'

testExpectations({
  dialect: vsCode,
  table: expected,
  stdin: expectedStdin,
  variables: ['CLAUDE_PROJECT_DIR'],
  fileName: '.github/hooks/hooks.json',
})

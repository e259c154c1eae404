import { testExpectations } from '../fixtures/expectation-tests.ts'
import { copilot } from './copilot.ts'
import { expected } from './expected.ts'
import { expectedStdin } from './expected-stdin.ts'

testExpectations({
  dialect: copilot,
  table: expected,
  stdin: expectedStdin,
  variables: ['CLAUDE_PROJECT_DIR'],
  eventName,
  fileName: '.github/hooks/hooks.json',
})

/** The name of Claude Code's, which comes along under either form. */
function eventName(event: string): string {
  const renamed: Readonly<Record<string, string>> = {
    userPromptSubmitted: 'UserPromptSubmit',
    agentStop: 'Stop',
    userPromptTransformed: 'userPromptTransformed',
  }
  const [first = '', ...rest] = event
  return renamed[event] ?? `${first.toUpperCase()}${rest.join('')}`
}

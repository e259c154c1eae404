import type { DialectFacts } from '../dialect-facts.ts'
import { moments } from './moments.ts'
import { denied, readOutput } from './read-output.ts'
import { stdinOf } from './stdin.ts'

/** What makes hooks of VS Code what they are: matchers are ignored, for one. */
export const vsCodeFacts: DialectFacts = {
  name: 'vs-code',
  moments,
  compileMatch: () => (moment) =>
    moment.kind !== 'session-start' || moment.source !== 'compact',
  stdin: stdinOf,
  env: (_hook, _moment, { projectDir }) => ({ CLAUDE_PROJECT_DIR: projectDir }),
  timeoutMs: ({ timeoutMs }) => timeoutMs ?? 30_000,
  read: readOutput,
  blocked: (reason, _hook, moment) =>
    moment.kind === 'tool-pre' || moment.kind === 'prompt'
      ? denied(reason, moment)
      : {},
}

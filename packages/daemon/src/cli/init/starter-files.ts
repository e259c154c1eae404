/** What a project begins with. */
export interface StarterFile {
  /** Below the folder of the project. */
  readonly path: string
  readonly about: string
  readonly text: string
}

export interface StarterOptions {
  readonly agent: string
  /** Absent: as the environment says. */
  readonly model: string | undefined
}

export const configPath = 'hookline.config.yaml'

export function starterFiles({
  agent,
  model,
}: StarterOptions): readonly StarterFile[] {
  return [
    {
      path: configPath,
      about: 'an agent and a hook, explained',
      text: configText({ agent, model }),
    },
    {
      path: '.hookline/no-force-push.mjs',
      about: 'the hook: a program that may say no',
      text: hookText,
    },
  ]
}

function configText({ agent, model }: StarterOptions): string {
  const modelLine =
    model === undefined
      ? '    # model: anthropic/claude-sonnet-4-5   (default: as the environment says)'
      : `    model: ${JSON.stringify(model)}`
  return `# What agents this project has, and which hooks watch over them.
# It counts as it was trusted: after a change, look at it with "hookline hooks trust".
# See what is in force with "hookline hooks list", and check it with "hookline doctor".

agents:
  - name: ${agent}
${modelLine}
    description: Helps with this project.
    instructions: |
      You help with the project in the folder you work in.
      Look before you change something, and say what you did.

# A hook is asked at a point of an agent's work, and its answer counts. This one
# judges calls of the tool "shell" as they will run, just before they do.
# "hookline hooks explain tool.guard --tool shell" shows who is asked there.
hooks:
  - name: no-force-push
    on: tool.guard
    # Only these calls reach it: the command begins with these words.
    match: { tool: shell, args: { command: 'git push*' } }
    # A program of yours, in any language. It is given the call as JSON on its
    # standard input; it says no by ending with code 2.
    handler: { type: command, argv: [node, .hookline/no-force-push.mjs], cwd: . }
    # A guard that fails, or takes longer than this, counts as a no.
    timeoutMs: 5000
`
}

const hookText = `// Asked before a "git push" runs: see hookline.config.yaml.
import { text } from 'node:stream/consumers'

// Everything about the moment: which point, which agent, and the call itself.
const moment = JSON.parse(await text(process.stdin))
const { command } = moment.input.args

if (/\\s(--force|-f)(\\s|$)/.test(command)) {
  // Code 2 is a veto; the agent is told what stands on standard error.
  console.error('Do not force a push; rebase, and push again.')
  process.exit(2)
}
// To end without a word lets the call through.
`

import { events } from '../claude-code/events.ts'
import { readClaudeShape } from '../claude-shape.ts'
import { isOutput } from '../is-output.ts'
import { findDocuments } from '../printed.ts'
import { type Remark, remark } from './remark.ts'

/** What a script, or a command that is one, will not do at an event. */
export function checkScript(text: string, event: string): readonly Remark[] {
  const code = withoutComments(text)
  const { block = 'ignored', moments = [] } = events[event] ?? {}
  const isGate =
    block === 'deny' || block === 'keep-going' || block === 'feedback'
  // Of what never happens here it is not known what a block comes to.
  const isIdle = !isGate && moments.length > 0
  return [
    ...(isGate ? checkExits(code) : []),
    ...(isIdle ? checkIdleVeto(code, event) : []),
    ...checkStderr(code),
    ...(block === 'keep-going' ? checkLoop(code) : []),
    ...checkFields(code, wrongFields),
    ...checkDocuments(code, event),
    ...checkTerminal(code),
  ]
}

function withoutComments(text: string): string {
  return text.replace(/^\s*(?:#(?!!)|\/\/).*$/gm, '')
}

const exitOne =
  /\bexit\s+1\b|\bexit\(1\)|\bsys\.exit\(\s*(?:1|["'])|process\.exit(?:Code\s*=\s*|\()\s*1\b/
const exitTwo = /\bexit\s+2\b|\bexit\(2\)|process\.exitCode\s*=\s*2/
const verdict =
  /permissionDecision|["']decision["']|"continue"\s*:\s*false|hookSpecificOutput/

// Whatever code another program has ended with, or a function has given.
const exitGiven =
  /\bexit\s+"?\$|\bsys\.exit\(\s*[A-Za-z_]|process\.exit(?:Code\s*=\s*|\()\s*[A-Za-z_]|^\s*exec\s+[^\s\d<>&]/m

function checkExits(code: string): readonly Remark[] {
  const remarks: Remark[] = []
  const canBlock = [exitTwo, exitGiven, verdict].some((one) => one.test(code))
  if (exitOne.test(code) && !canBlock) {
    const message =
      'Exit code 1 blocks nothing: it counts as a hook that has failed, and all goes on. Only 2 blocks.'
    remarks.push(remark('warning', 'exit-one', message, 'exit 2'))
  }
  const hasStderr =
    /[>&]&?2\b|sys\.stderr|console\.(?:error|warn)|process\.stderr|\bwarn\b|>\s*\/dev\/stderr/
  if (exitTwo.test(code) && !hasStderr.test(code) && !verdict.test(code)) {
    const message =
      'It exits with 2, but writes nothing to standard error: the reason is taken from there, so that nobody is told one.'
    remarks.push(
      remark('warning', 'silent-block', message, 'echo "reason" >&2'),
    )
  }
  return remarks
}

function checkIdleVeto(code: string, event: string): readonly Remark[] {
  if (!exitTwo.test(code)) return []
  const message = `Exit code 2 blocks nothing at ${event}.`
  return [remark('warning', 'exit-two-idle', message)]
}

function checkStderr(code: string): readonly Remark[] {
  const isOnStderr = code
    .split('\n')
    .some(
      (line) =>
        verdict.test(line) &&
        /(?:1)?>&2|file\s*=\s*sys\.stderr|console\.error|process\.stderr/.test(
          line,
        ),
    )
  if (!isOnStderr) return []
  const message =
    'JSON on standard error is only text: the product reads it from standard output.'
  return [remark('warning', 'json-on-stderr', message)]
}

function checkLoop(code: string): readonly Remark[] {
  const blocks = exitTwo.test(code) || /["']block["']/.test(code)
  if (!blocks || /stop_hook_active/.test(code)) return []
  const message =
    'It can keep the agent going again and again: it does not look at "stop_hook_active".'
  return [remark('warning', 'stop-loop', message)]
}

const wrongFields: Readonly<Record<string, string>> = {
  tool_output: 'tool_response',
  tool_result: 'tool_response',
  toolInput: 'tool_input',
  toolName: 'tool_name',
  tool_args: 'tool_input',
  parameters: 'tool_input',
  user_prompt: 'prompt',
  sessionId: 'session_id',
}

const snakeCase = ['tool_name', 'tool_input']

/** Those that scripts look for in what Copilot gives them. */
const wrongInCopilot: Readonly<Record<string, string>> = {
  toolInput: 'toolArgs',
  toolOutput: 'toolResult',
  userMessage: 'prompt',
}

/** What a script of Copilot will not find. */
export function checkCopilotScript(text: string): readonly Remark[] {
  return checkFields(withoutComments(text), wrongInCopilot)
}

/** Fields of the input that there are not; the script goes on with nothing. */
function checkFields(
  code: string,
  fields: Readonly<Record<string, string>>,
): readonly Remark[] {
  return Object.entries(fields).flatMap(([wrong, right]) => {
    // Who reads the right one, too, is written for several products.
    const others = /[A-Z]/.test(wrong) ? snakeCase : []
    const isForSeveral = [right, ...others].some((one) => reads(code, one))
    if (!reads(code, wrong) || isForSeveral) return []
    const message = `The input has no field "${wrong}".`
    return [remark('warning', 'no-such-field', message, `"${right}"`)]
  })
}

function reads(code: string, field: string): boolean {
  return new RegExp(
    `(?:jq[^\\n]*['"][^'"]*\\.${field}\\b|(?:\\.get\\(\\s*|\\[)["']${field}["']|(?:input|data|payload|event|hook\\w*)\\??\\.${field}\\b)`,
  ).test(code)
}

/** Answers that stand in the script as they are. */
function checkDocuments(code: string, event: string): readonly Remark[] {
  const unescaped = code.replaceAll('\\"', '"')
  const documents = findDocuments(unescaped).found.flatMap(({ document }) =>
    document && isOutput(document) ? [document] : [],
  )
  const remarks = documents.flatMap((document): Remark[] => {
    const { problems, isSloppy, specific } = readClaudeShape(document)
    const name = specific['hookEventName']
    const isOther = name !== undefined && name !== event
    const top = document['decision']
    return [
      ...problems.map((key) =>
        remark(
          'error',
          'bad-output',
          `An answer in it has a "${key}" that the product does not take.`,
        ),
      ),
      ...(isSloppy
        ? [
            remark(
              'warning',
              'sloppy-output',
              'An answer in it lacks "hookEventName", or has a field in the wrong place.',
              `"hookSpecificOutput": { "hookEventName": "${event}", … }`,
            ),
          ]
        : []),
      ...(isOther
        ? [
            remark(
              'warning',
              'other-event',
              `An answer in it is for another event than ${event}.`,
            ),
          ]
        : []),
      ...(top === 'deny' || top === 'allow' || top === 'ask'
        ? [
            remark(
              'warning',
              'old-decision',
              'The "decision" of an answer is "block" or "approve"; the words "deny", "allow" and "ask" belong into "permissionDecision".',
            ),
          ]
        : []),
    ]
  })
  return uniqueOf(remarks)
}

function uniqueOf(remarks: readonly Remark[]): readonly Remark[] {
  const seen = new Set<string>()
  return remarks.filter(({ code, message }) => {
    const key = `${code} ${message}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

// The command itself, not a text that speaks of it.
const asksPerson =
  /(?:^|[;&|{]|\b(?:then|do|else|if|while)\b)\s*read\s+-\w*p|<\s*\/dev\/tty\b|\binput\(\s*["']/m

function checkTerminal(code: string): readonly Remark[] {
  if (!asksPerson.test(code)) return []
  const message =
    'There is no terminal: whatever asks a person waits until its time is up.'
  return [remark('warning', 'no-terminal', message)]
}

import { AgentError } from '../ports/agent-error.ts'
import { readStep, type WrittenStep } from './check-step.ts'
import { readYaml } from './read-yaml.ts'

const maxBytes = 1_048_576
const maxSteps = 10_000

/**
 * Reads a script for `scriptedModel` from YAML or JSON: a list of steps. Throws
 * an `AgentError` that names the step and the key that is not right.
 */
export async function parseScript(
  text: string,
): Promise<readonly WrittenStep[]> {
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) {
    throw invalid(`is larger than ${maxBytes} bytes; split it`)
  }
  const steps = await readYaml(text)
  if (!Array.isArray(steps)) {
    throw invalid('is not a list; begin each step with "- "')
  }
  if (steps.length > maxSteps) {
    throw invalid(`has more than ${maxSteps} steps; split it`)
  }
  return steps.map((step: unknown, index) => readStep(step, index + 1))
}

function invalid(what: string): AgentError {
  return new AgentError('invalid-script', `The script ${what}.`)
}

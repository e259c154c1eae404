import { AgentError } from '../../ports/agent-error.ts'
import type { HttpDefinition } from '../definition.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Puts variables into headers, but only those that the definition names. */
export function fillHeaders(
  { headers = {}, env: granted = [] }: HttpDefinition,
  env: Environment,
): Record<string, string> {
  const fill = (header: string, value: string) =>
    value.replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => {
      if (granted.includes(name)) return readVariable(name, env)
      const message = `The header "${header}" uses a variable that \`env\` does not name; add it there.`
      throw new AgentError('invalid-config', message)
    })
  const filled = Object.entries(headers).map(
    ([name, value]) => [name, fill(name, value)] as const,
  )
  return Object.fromEntries(filled)
}

/** Never says what a variable holds. */
export function readVariable(name: string, env: Environment): string {
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  if (value !== undefined && value !== '') return value
  const message = `The variable "${name}" is not set; the http handler needs it.`
  throw new AgentError('invalid-config', message)
}

import type { Environment } from './places.ts'

/** What a model is called where there is none; it cannot be found. */
export const noModel = 'none/none'

const byKey = [
  ['ANTHROPIC_API_KEY', 'anthropic/claude-sonnet-4-5'],
  ['OPENAI_API_KEY', 'openai/gpt-5'],
] as const

/** The model of agents that name none. Who sets a variable means it for now. */
export function defaultModel(
  env: Environment,
  configured: string | undefined,
): string | undefined {
  const named = env['HOOKLINE_MODEL']?.trim()
  if (named) return named
  if (configured !== undefined) return configured
  return byKey.find(([variable]) => env[variable]?.trim())?.[1]
}

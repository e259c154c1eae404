import type { ModelRegistry } from '@hookline/agent'
import { loadSettings } from '../../reload/load-settings.ts'
import { isScript, scriptedModels } from '../connect/scripted-models.ts'
import { explainError } from '../explain-error.ts'
import { type Check, failure, ok, warning } from './check.ts'

export interface ConfigCheckOptions {
  readonly root: string
  readonly home: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What is wrong with files, without running anything that they name; code runs on trial. */
export async function checkConfig({
  root,
  home,
  env,
}: ConfigCheckOptions): Promise<readonly Check[]> {
  const loaded = await loadSettings({
    root,
    ...(home !== undefined && { home }),
    env,
  })
  const { config, problems, refusal, settings } = loaded
  const files = config.sources.map(({ file, layer, state }) =>
    state === 'refused'
      ? failure('config', `${file} (${layer}) cannot be used`)
      : ok('config', `${file} (${layer}): ${state}`),
  )
  const found = problems.map(({ file, line, column, message, severity }) => {
    const text = `${file}:${line}:${column}: ${message}`
    return severity === 'error'
      ? failure('config', text)
      : warning('config', text)
  })
  const scripts = await scriptedModels(env)
  const models = settings.agents.map(({ name, model }) =>
    checkModel(name, { model: String(model), scripts }),
  )
  return [
    ...(files.length === 0
      ? [warning('config', 'There is no file; "hookline init" writes one.')]
      : files),
    ...found,
    ...(refusal === undefined ? [] : [failure('config', refusal)]),
    checkStore(settings.store, env),
    ...(await Promise.all(models)),
  ]
}

function checkStore(
  { file, urlEnv }: { readonly file?: string; readonly urlEnv?: string },
  env: ConfigCheckOptions['env'],
): Check {
  if (urlEnv === undefined) return ok('store', `SQLite at ${file}`)
  if (env[urlEnv]) return ok('store', `Postgres, as ${urlEnv} says`)
  return failure(
    'store',
    `The variable "${urlEnv}" is not set; set it to the address of the Postgres.`,
  )
}

interface UsedModel {
  readonly model: string
  /** Absent: none is played from a file. */
  readonly scripts: ModelRegistry | undefined
}

async function checkModel(
  agent: string,
  { model, scripts }: UsedModel,
): Promise<Check> {
  if (model === 'none/none') {
    const message = `Agent "${agent}" has no model; set ANTHROPIC_API_KEY, OPENAI_API_KEY or HOOKLINE_MODEL, or name one.`
    return warning('model', message)
  }
  const used = `${agent} uses ${model}`
  try {
    if (isScript(model)) await scripts?.resolve(model)
  } catch (error) {
    return failure('model', `${used}: ${explainError(error).message}`)
  }
  return ok('model', used)
}

import { basename, dirname, join } from 'node:path'
import {
  type DialectName,
  type Finding,
  lintHookFile,
  loadConfig,
  loadDialect,
  loadLinearRegex,
  readScript,
} from '@hookline/agent/config'
import { knownHooks } from '../../../reload/known-hooks.ts'
import { configSections } from '../../../reload/sections/config-sections.ts'
import { missingPrograms, type ProjectPlace } from './missing-programs.ts'

export interface ForeignFile {
  readonly file: string
  readonly projectDir: string
  readonly dialect: DialectName
}

/** What in a file of another product does not do what its author thinks. */
export async function lintForeign(
  text: string,
  { file, projectDir, dialect }: ForeignFile,
): Promise<readonly Finding[]> {
  return await lintHookFile(text, {
    dialect: await loadDialect(dialect),
    file,
    projectDir,
    readScript,
  })
}

/** What is wrong with a file of ours, alone. */
export async function lintOwn(
  file: string,
  place: ProjectPlace,
): Promise<readonly Finding[]> {
  const nowhere = join(dirname(file), `.${basename(file)}.none`)
  const { hooks, problems } = await loadConfig({
    files: [file],
    managed: nowhere,
    user: nowhere,
    runsCode: false,
    catalogue: knownHooks(),
    sections: configSections(await loadLinearRegex()),
  })
  const found = problems.map(({ severity, code, line, column, message }) => ({
    severity,
    code,
    file,
    place: { line, column },
    message,
  }))
  const told = new Set(
    problems.flatMap(({ code, line }) =>
      code === 'missing-program' ? [line] : [],
    ),
  )
  const others = hooks.filter(({ line }) => !told.has(line))
  return [...found, ...(await missingPrograms(others, place))]
}

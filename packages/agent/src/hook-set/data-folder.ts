import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgentError } from '../ports/agent-error.ts'
import { stateFolder } from '../trust/trust-environment.ts'

/**
 * A folder of our own for what hooks of other products read and write: where
 * temporary files are, or, if nothing can be made there, with our own state.
 */
export async function makeDataFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string> {
  const temporary = tmpdir()
  try {
    return await mkdtemp(join(temporary, 'hookline-'))
  } catch {
    // It is full, read-only, not ours, or not there.
  }
  const state = stateFolder(environment)
  try {
    await mkdir(state, { recursive: true, mode: 0o700 })
    return await mkdtemp(join(state, 'data-'))
  } catch (cause) {
    const message = `Neither "${temporary}" nor "${state}" can be written to; set TMPDIR or XDG_STATE_HOME to a folder that can.`
    throw new AgentError('invalid-config', message, cause)
  }
}

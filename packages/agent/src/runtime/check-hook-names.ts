import type { Hook } from 'hookline'
import { AgentError } from '../ports/agent-error.ts'

/** A name in a record stands for one hook, whichever agent it is of. */
export function checkHookNames(
  agent: string,
  hooks: readonly Hook[],
  taken: ReadonlyMap<string, readonly Hook[]>,
): void {
  for (const [other, others] of taken) {
    for (const hook of others) {
      const rival = hooks.find(({ name }) => name === hook.name)
      if (rival === undefined || rival === hook) continue
      const message = `Agents "${agent}" and "${other}" have different hooks named "${hook.name}"; rename one.`
      throw new AgentError('duplicate-hook', message)
    }
  }
}

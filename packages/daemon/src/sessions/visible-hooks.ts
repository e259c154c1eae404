import type { DurableRuntime } from '@hookline/agent/durable'
import type { HookVisibility } from './told-item.ts'

/**
 * Whether those may see what a hook does who do not run the daemon. What is in
 * no table here is somebody else's, and is not shown.
 */
export function hookVisibility(runtime: DurableRuntime): HookVisibility {
  return (hook) =>
    runtime.agents.some(({ name }) => {
      const found = runtime.tableOf(name).hooks.find((one) => one.name === hook)
      const { visibility } = found ?? {}
      return visibility === 'user_visible' || visibility === 'user_audit'
    })
}

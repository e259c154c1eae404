import type { JsonObject } from 'hookline/lifecycle'

/** Arguments as their schema types them: they were checked against it. */
export function checkedArgs<Args>(args: JsonObject): Args {
  return args as Args
}

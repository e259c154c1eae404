import { z } from 'zod'
import { configLayer, sourceState } from './closed-sets.ts'
import { id, jsonObject, nothing, problem } from './common.ts'

const configState = z.object({
  sources: z.array(
    z.object({
      file: z.string(),
      layer: configLayer,
      hash: z.string().optional(),
      state: sourceState,
    }),
  ),
  problems: z.array(problem),
  /** Files of which nothing is used, and why. */
  broken: z.array(problem.extend({ layer: configLayer })),
  /** Commands that cannot be started as things are. */
  doubts: z.array(problem),
  findings: z.array(jsonObject),
  untrusted: z.number().int(),
  /** Sections that were changed, and count when the daemon is started again. */
  needsRestart: z.array(z.string()),
  /** Why this is not what runs, and what was loaded earlier is. */
  refusal: z.string().optional(),
})

export type ConfigState = z.infer<typeof configState>

export const config = {
  getConfig: { input: nothing, output: configState },
  reload: { input: nothing, output: configState },
  bridge: {
    input: z.strictObject({
      dialect: id,
      /** Default: what the input names. */
      event: id.optional(),
      stdin: z.string().max(64 * 1_048_576),
    }),
    output: z.object({
      stdout: z.string(),
      stderr: z.string(),
      exitCode: z.number().int(),
    }),
  },
}

import { defineHook, proceed, reject } from 'hookline'
import { llmPreCall, toolGuard } from 'hookline/lifecycle'
import { defineHooks } from '../../define-hooks.ts'
import { createPassedCalls } from '../shared/turns/passed-calls.ts'
import { type RateRule, rateLimitShape } from './options.ts'
import { createLimit, passAll } from './pass-all.ts'

export type { RateLimitOptions, RateRule } from './options.ts'

/** Calls pass at a rate, as tokens of a bucket that fills up again. */
export const rateLimit = defineHooks({
  name: 'rate-limit',
  description: 'So many calls of tools and models in so much time.',
  options: rateLimitShape,
  create({ rules }, { name, clock }) {
    const limits = rules.map((one, at) => createLimit(one, `${name}:${at}`))
    const limitsOf = (of: RateRule['of']) => {
      const ours = limits.filter(({ rule }) => rule.of === of)
      const longest = Math.max(0, ...ours.map(({ rate }) => rate.waitMs))
      return { ours, timeoutMs: longest + 5_000 }
    }
    const tools = limitsOf('tools')
    const models = limitsOf('models')
    const calls = createPassedCalls(name)
    const toolGate = defineHook({
      name: `${name}:tools`,
      on: toolGuard,
      handler: { version: '1' },
      timeoutMs: tools.timeoutMs,
      async run({ id, tool }, { state, scope, signal }) {
        if (await calls.has(state, id)) return proceed
        const passing = { called: tool, scope, state, signal, clock }
        const refusal = await passAll(tools.ours, passing)
        if (refusal !== undefined) return reject(refusal)
        await calls.note(state, id)
        return proceed
      },
    })
    const modelGate = defineHook({
      name: `${name}:models`,
      on: llmPreCall,
      handler: { version: '1' },
      priority: 950,
      // What is said to the model makes no difference here.
      beforeWrites: true,
      timeoutMs: models.timeoutMs,
      async run({ request }, { state, scope, signal }) {
        const passing = { called: request.model, scope, state, signal, clock }
        const refusal = await passAll(models.ours, passing)
        return refusal === undefined ? proceed : reject(refusal)
      },
    })
    return [
      ...(tools.ours.length > 0 ? [toolGate] : []),
      ...(models.ours.length > 0 ? [modelGate] : []),
    ]
  },
})

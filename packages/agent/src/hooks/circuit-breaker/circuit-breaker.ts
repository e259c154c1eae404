import { defineHooks } from '../../define-hooks.ts'
import { createBreaker } from './breaker.ts'
import {
  type CircuitBreakerOptions,
  circuitBreakerShape,
  defaultCodes,
  defaultErrors,
} from './options.ts'
import { watchModels } from './watch-models.ts'
import { watchTools } from './watch-tools.ts'

/** Has nobody wait for a model or a tool that keeps failing. */
export const circuitBreaker = defineHooks<CircuitBreakerOptions>({
  name: 'circuit-breaker',
  description: 'Does not call a model or a tool that keeps failing.',
  options: circuitBreakerShape,
  create(options, host) {
    const { models = true, tools = [], codes = defaultCodes } = options
    const { errors = defaultErrors } = options
    const breaker = createBreaker(options, host)
    return [
      ...(models ? watchModels(breaker, codes) : []),
      ...(tools.length > 0 ? watchTools(breaker, tools, errors) : []),
    ]
  },
})

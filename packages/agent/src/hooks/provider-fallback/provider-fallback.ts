import { defineHooks } from '../../define-hooks.ts'
import { beginCall } from './begin-call.ts'
import { changeModel } from './change-model.ts'
import { createFallback } from './fallback.ts'
import {
  type ProviderFallbackOptions,
  providerFallbackShape,
} from './options.ts'

/** Has another model answer where one cannot. */
export const providerFallback = defineHooks<ProviderFallbackOptions>({
  name: 'provider-fallback',
  description: 'Has another model answer where one cannot.',
  options: providerFallbackShape,
  create(options, host) {
    const fallback = createFallback(options, host)
    return [beginCall(fallback), changeModel(fallback)]
  },
})

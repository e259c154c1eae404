import { defineHook, proceed, reject, transform } from 'hookline'
import { type JsonObject, toolPreCall } from 'hookline/lifecycle'
import { defineHooks, described, list, object } from '../../define-hooks.ts'
import { compileCallRule } from '../shared/rules/call-rule.ts'
import { changeAt } from './at-path.ts'
import {
  changeOf,
  type RewriteRule,
  rewriteRule,
  WrongValue,
} from './rewrite-rule.ts'

export interface ArgsRewriteOptions {
  /** Done one after the other; each sees what the one before has left. */
  readonly rules: readonly RewriteRule[]
}

const options = object<ArgsRewriteOptions>(
  {
    rules: described(
      list(rewriteRule, { min: 1, max: 200 }),
      'Done one after the other; each sees what the one before has left.',
    ),
  },
  ['rules'],
)

/** Changes arguments before they are sealed and judged. */
export const argsRewrite = defineHooks({
  name: 'args-rewrite',
  description: 'Changes arguments of calls before they are judged.',
  options,
  create({ rules }, { name }) {
    const compiled = rules.map((rule) => ({
      isMeant: compileCallRule(rule),
      path: rule.at.split('.'),
      change: changeOf(rule),
    }))
    const rewrite = defineHook({
      name: `${name}:rewrite`,
      on: toolPreCall,
      handler: { version: '1' },
      writes: true,
      run(call) {
        let { args } = call
        try {
          for (const { isMeant, path, change } of compiled) {
            if (!isMeant({ ...call, args })) continue
            // At the end of a path that has one there is an object above.
            args = changeAt(args, path, change) as JsonObject
          }
        } catch (error) {
          if (error instanceof WrongValue) return reject(error.message)
          throw error
        }
        return args === call.args ? proceed : transform(args)
      },
    })
    return [rewrite]
  },
})

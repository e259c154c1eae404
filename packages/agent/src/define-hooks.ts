export {
  anyJson,
  jsonObject,
  list,
  object,
  record,
} from './config/shape/containers.ts'
export { flag, number, text, word } from './config/shape/scalars.ts'
export { described, type Shape } from './config/shape/shape.ts'
export { wordOr } from './config/shape/unions.ts'
export {
  type DefinedHooks,
  defineHooks,
  type HooksHost,
  type HooksSpec,
  type UseOptions,
} from './hook-set/define-hooks.ts'

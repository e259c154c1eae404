export type { WrittenStep } from './check-step.ts'
export { parseScript } from './parse-script.ts'
export type {
  Script,
  ScriptedCall,
  ScriptedError,
  ScriptFunction,
  ScriptStep,
} from './script-step.ts'
export {
  type ScriptedModel,
  type ScriptedModelOptions,
  scriptedModel,
} from './scripted-model.ts'

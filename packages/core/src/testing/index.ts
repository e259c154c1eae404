export { createFakeClock, type FakeClock } from './fake-clock.ts'
export { type ScriptedHook, scriptedHook } from './scripted-hook.ts'
export type { Trial } from './trial.ts'
export { type TryOptions, tryHook } from './try-hook.ts'

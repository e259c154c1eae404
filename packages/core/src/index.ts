export { createEngine } from './engine/index.ts'

export type { CallContext, Caller } from './caller.ts'
export {
  type ErrorBody,
  type ErrorCode,
  type InputProblem,
  ProtocolError,
} from './errors.ts'
export {
  type AnswerOf,
  type InputOf,
  type OutputOf,
  operationSchemas,
} from './operations.ts'
export {
  type OperationName,
  type Right,
  type Route,
  routes,
} from './routes.ts'
export type { Service } from './service.ts'

import type { CallContext } from './caller.ts'
import type { AnswerOf, InputOf } from './operations.ts'
import type { OperationName } from './routes.ts'

/** Whoever does what can be asked for, one function for each operation. */
export type Service = {
  readonly [Name in OperationName]: (
    input: InputOf<Name>,
    context: CallContext,
  ) => Promise<AnswerOf<Name>> | AnswerOf<Name>
}

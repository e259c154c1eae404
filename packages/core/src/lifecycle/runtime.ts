import { type } from '../define/define-point.ts'
import type { UserContent } from './content.ts'
import { promptContext } from './contributions/prompt-context.ts'
import { lifecyclePoint } from './lifecycle-point.ts'

export interface ExternalTurnInput {
  readonly content: UserContent
}

/** A turn is handed to a core that is another program and asks its own model. */
export const runtimeTurnPreContext = lifecyclePoint(
  'runtime.turn_pre_context',
  {
    input: type<ExternalTurnInput>(),
    flow: 'parallel',
    contributes: [promptContext],
    fields: { coreType: (_, scope) => scope.coreType },
  },
)

import { basename } from 'node:path'
import type { ForeignHook } from './dialect.ts'
import type { LabelledText } from './session-memory.ts'
import type { Verdict } from './verdict.ts'
import { withoutColours } from './without-colours.ts'

type Reasoned = Pick<Verdict, 'reason'> & { readonly by?: ForeignHook }

/** What is said where a hook gives no words of its own. */
export const words = {
  denial: ({ reason, by }: Reasoned): string =>
    orElse(
      reason,
      `A hook${placeOf(by)} does not allow it and gives no reason.`,
    ),
  question: ({ reason, by }: Reasoned): string =>
    orElse(reason, `A hook${placeOf(by)} wants a person to agree.`),
  stop: (reason: string): string =>
    orElse(reason, 'A hook has ended the turn and gives no reason.'),
  feedback: (reason: string | undefined): string =>
    orElse(
      reason,
      'A hook does not let the work end here and gives no reason.',
    ),
  label: (hook: ForeignHook, text: string): LabelledText => ({
    label: labelOf(hook),
    file: hook.source.file,
    text,
  }),
}

/** Short enough for an id, and says where to look. */
function labelOf({ event, source, place }: ForeignHook): string {
  const file = basename(source.file)
    .replace(/[^\w.-]/g, '_')
    .slice(0, 60)
  return `${event}:${file}:${place.line}`
}

function placeOf(hook: ForeignHook | undefined): string {
  return hook === undefined ? '' : ` (${hook.source.file}:${hook.place.line})`
}

function orElse(text: string | undefined, otherwise: string): string {
  const plain = withoutColours(text ?? '')
  return plain.trim() === '' ? otherwise : plain
}

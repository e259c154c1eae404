import type { ApprovalDetail } from '../../../data/protocol.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { HostileText } from '../../../ui/hostile-text.tsx'
import type { Tone } from '../../../ui/tone.ts'
import { readShown } from './read-shown.ts'

interface SealedCallProps {
  readonly approval: ApprovalDetail
}

const safeties: Readonly<Record<string, readonly [Tone, string]>> = {
  read_only: ['neutral', 'reads only'],
  mutating: ['caution', 'changes something'],
  destructive: ['bad', 'destructive'],
  network: ['caution', 'reaches the network'],
}

/** How far a tool goes, in a word. */
export function SafetyBadge({ safety }: { readonly safety: string }) {
  const [tone, word] = safeties[safety] ?? ['neutral', safety]
  return (
    <Badge tone={tone}>
      <HostileText text={word} />
    </Badge>
  )
}

/** The call just as it will run, and what whoever asks wants to know. */
export function SealedCall({ approval }: SealedCallProps) {
  const { shown, isCut, questions, seal } = approval
  const { args, written } = readShown(shown)
  return (
    <>
      {questions.length > 0 && (
        <ul className="flex flex-col gap-1">
          {questions.map(({ by, question }) => (
            <li key={by + question} className="text-sm break-words">
              <span className="font-medium">
                <HostileText text={by} />
              </span>{' '}
              <span className="text-muted">
                <HostileText text={question} sliceLength={1_000} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <CodeBlock label="Arguments" text={args} />
      {written !== undefined && (
        <CodeBlock
          label="Written by the model, before hooks changed it"
          text={written}
          isLow
        />
      )}
      {isCut && (
        <p className="text-xs text-caution">
          Not all of it is shown: what is too long or may be a secret was taken
          out, as marked. “Modify” shows the call as it is.
        </p>
      )}
      <details className="text-xs">
        <summary className="w-fit rounded-sm py-1 text-muted hover:text-ink">
          Everything that is sealed
        </summary>
        <CodeBlock label={`Seal ${seal}`} text={shown} isLow />
      </details>
    </>
  )
}

import type { OpenedRun } from '../../data/protocol.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ValueDiff } from '../../ui/diff/value-diff.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { NotKept } from '../../ui/not-kept.tsx'
import { Section } from '../../ui/section.tsx'
import { ValueBlock } from '../../ui/value-block.tsx'

interface RunProps {
  readonly run: OpenedRun
}

/** What went in and came out, as far as it is kept. */
export function RunContent({ run }: RunProps) {
  const { given, change, state } = run
  const wasGiven = state !== 'skipped'
  return (
    <>
      <RunAnswer run={run} />
      <Contributed run={run} />
      <Diagnostics run={run} />
      {wasGiven && (
        <Section title="What it was given">
          <Kept
            kept={given}
            label="Input"
            what="What it was given"
            isLow={change !== undefined}
          />
        </Section>
      )}
    </>
  )
}

function RunAnswer({ run }: RunProps) {
  const { change, value, answer, mode } = run
  if (value === undefined) return null
  const isOnly = mode === 'evaluate'
  const title =
    answer === 'respond'
      ? 'What it gave instead'
      : isOnly
        ? 'What it would have changed'
        : 'What it changed'
  const { subject = 'all of it' } = change ?? {}
  return (
    <Section title={title}>
      {change === undefined ? (
        <Kept kept={value} label="Value" what="What it answered with" />
      ) : (
        <ValueDiff
          label={subject}
          before={change.before}
          after={change.after}
          sameNote="Both sides are kept without secrets, and are the same without them: what it changed was one."
        />
      )}
    </Section>
  )
}

interface KeptProps {
  readonly kept: OpenedRun['given']
  readonly label: string
  readonly what: string
  readonly isLow?: boolean
}

function Kept({ kept, label, what, isLow = false }: KeptProps) {
  switch (kept.type) {
    case 'whole':
      return <ValueBlock value={kept.value} label={label} isLow={isLow} />
    case 'cut':
      return (
        <div>
          <CodeBlock text={kept.text} label={label} isLow={isLow} />
          <p className="pt-1 text-xs text-muted">
            It was too long to be kept whole: this is its beginning.
          </p>
        </div>
      )
    case 'not-kept':
      return <NotKept what={what} />
    default:
      kept satisfies never
      return null
  }
}

function Contributed({ run }: RunProps) {
  const { contributions, contributed } = run
  if (contributions.length === 0) return null
  return (
    <Section
      title="What it contributed"
      aside={contributed.length > 0 ? undefined : kindsText(run)}
    >
      {contributed.length === 0 ? (
        <NotKept what="What it contributed" />
      ) : (
        contributed.map(({ kind, value }, at) => (
          <ValueBlock
            // They never change their order.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above.
            key={at}
            label={kind}
            value={value}
          />
        ))
      )}
    </Section>
  )
}

function kindsText({ contributions }: OpenedRun): string {
  return contributions.map(({ kind }) => kind).join(', ')
}

function Diagnostics({ run }: RunProps) {
  const { diagnostics } = run
  if (diagnostics.length === 0) return null
  return (
    <Section title="Diagnostics">
      <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
        {diagnostics.map((one, at) => {
          const { code, message } = Object(one)
          return (
            <li
              // They never change their order.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above.
              key={at}
              className="flex flex-wrap gap-x-3 px-3 py-2 text-sm"
            >
              <span className="font-mono text-xs leading-5 text-muted">
                <HostileText text={String(code ?? '')} sliceLength={200} />
              </span>
              <span className="min-w-0 flex-1 basis-60 break-words">
                <HostileText text={String(message ?? '')} sliceLength={1_000} />
              </span>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

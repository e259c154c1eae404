import { ArrowUpRight, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '../../../around/routes/link.tsx'
import { answererWords } from '../../../data/protocol.ts'
import { Badge } from '../../../ui/badge.tsx'
import { HostileText } from '../../../ui/hostile-text.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { preciseDuration } from '../../../ui/times.tsx'
import { outcomes } from '../../outcomes.ts'
import { DeadlineBar } from '../../run/deadline-bar.tsx'
import type { TurnPlace } from './fold-told.ts'
import { hrefOfNode } from './href-of-node.ts'
import { kinds, type Node, tookMs } from './nodes.ts'
import { KindIcon } from './timeline-row.tsx'

interface NodeDetailProps {
  readonly node: Node
  readonly place: TurnPlace
  readonly zero: number
  readonly now: number
  readonly onClose: () => void
}

const linkWords: Partial<Record<Node['kind'], string>> = {
  hook: 'Open this run',
  tool: 'Why was this allowed?',
  question: 'Why was this allowed?',
  subagent: 'Open its turn',
}

/** All that is known of one row, and the way to the rest. */
export function NodeDetail(props: NodeDetailProps) {
  const { node, place, zero, now, onClose } = props
  const { kind, name, outcome, start, end, about } = node
  const { word, tone } = outcomes[outcome]
  const href = hrefOfNode(node, place)
  const took = tookMs(node, now)
  return (
    <aside
      aria-label="Details"
      className="flex max-h-[45%] w-full shrink-0 flex-col overflow-y-auto border-t border-line bg-surface lg:max-h-none lg:w-80 lg:border-t-0 lg:border-l"
    >
      <header className="flex items-start gap-2 pt-3 pr-2 pl-4">
        <div className="min-w-0 flex-1">
          <p className="flex items-center gap-1.5 text-xs text-muted">
            <KindIcon kind={kind} />
            {kinds[kind]}
          </p>
          <h2 className="mt-0.5 text-sm font-semibold break-words">
            <HostileText text={name} />
          </h2>
        </div>
        <IconButton label="Close the details" icon={<X />} onClick={onClose} />
      </header>
      <div className="flex flex-wrap items-center gap-2 px-4 pt-2">
        <Badge tone={tone}>{word}</Badge>
        {href !== undefined && (
          <Link
            href={href}
            className="inline-flex items-center gap-1 text-xs text-accent hover:underline"
          >
            {linkWords[kind]}
            <ArrowUpRight aria-hidden="true" className="size-3" />
          </Link>
        )}
      </div>
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 px-4 py-3 text-xs">
        <Fact name="Began">{`${preciseDuration(Math.max(0, start - zero))} into the turn`}</Fact>
        <Fact name={end === undefined ? 'So far' : 'Took'}>
          {preciseDuration(took)}
        </Fact>
        <RunFacts node={node} took={took} />
        <CallFacts node={node} />
        <ModelFacts node={node} />
      </dl>
      {about.words === undefined && hasWords(about.run) && (
        <p className="mx-4 mb-4 text-xs text-muted">
          What it said is not kept. With{' '}
          <code className="font-mono">store.content.runs: redacted</code> it is,
          from then on.
        </p>
      )}
      {about.words !== undefined && (
        <p className="mx-4 mb-4 rounded-md bg-sunken px-3 py-2 text-xs break-words whitespace-pre-wrap">
          <HostileText text={about.words} sliceLength={2_000} />
        </p>
      )}
    </aside>
  )
}

const wordless: ReadonlySet<string> = new Set([
  'proceed',
  'transform',
  'replace',
  'respond',
])

/** Whether a hook gave a reason, a question or feedback with its answer. */
function hasWords(run: Node['about']['run']): boolean {
  return run?.answer !== undefined && !wordless.has(run.answer)
}

interface FactProps {
  readonly name: string
  readonly children: ReactNode
}

function Fact({ name, children }: FactProps) {
  if (children === undefined || children === null) return null
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}

function RunFacts({
  node,
  took,
}: {
  readonly node: Node
  readonly took: number
}) {
  const { run } = node.about
  if (run === undefined) return null
  const { point, answer, mode, attempt, policy, failure, deadlineMs } = run
  const added = run.contributions.map(({ kind }) => kind)
  return (
    <>
      <Fact name="Point">
        <HostileText text={point} />
      </Fact>
      {deadlineMs !== undefined && (
        <Fact name="Deadline">
          <DeadlineBar run={{ latencyMs: took, ...run }} />
        </Fact>
      )}
      <Fact name="Answer">{answer}</Fact>
      <Fact name="Mode">{mode === 'evaluate' ? 'evaluates only' : mode}</Fact>
      {attempt > 1 && <Fact name="Attempt">{attempt}</Fact>}
      {failure !== undefined && <Fact name="Failure">{failure.code}</Fact>}
      <Fact name="Policy">
        {policy === undefined ? undefined : `fails ${policy}`}
      </Fact>
      {run.decided && <Fact name="Chain">it had the last word</Fact>}
      {added.length > 0 && (
        <Fact name="Added">
          <HostileText text={added.join(', ')} />
        </Fact>
      )}
    </>
  )
}

function CallFacts({ node }: { readonly node: Node }) {
  const { call, callId, question } = node.about
  return (
    <>
      {callId !== undefined && (
        <Fact name="Call">
          <span className="font-mono">
            <HostileText text={callId} />
          </span>
        </Fact>
      )}
      <Fact name="Answered by">
        {question?.by && <HostileText text={answererWords(question.by)} />}
      </Fact>
      {call !== undefined && (
        <>
          <Fact name="Safety">{call.safety}</Fact>
          <Fact name="Owner">
            <HostileText text={call.owner} />
          </Fact>
          {call.elapsedMs !== undefined && (
            <Fact name="Ran for">{preciseDuration(call.elapsedMs)}</Fact>
          )}
          <Fact name="Approved by">
            {call.approvedBy && (
              <HostileText text={answererWords(call.approvedBy)} />
            )}
          </Fact>
          {call.isUngated && <Fact name="Judged by">no hook</Fact>}
        </>
      )}
    </>
  )
}

function ModelFacts({ node }: { readonly node: Node }) {
  const { model } = node.about
  const { usage, firstAt } = model ?? {}
  const count = (tokens: number) => `${tokens.toLocaleString('en')} tokens`
  return (
    <>
      {firstAt !== undefined && (
        <Fact name="First words">
          after {preciseDuration(Math.max(0, firstAt - node.start))}
        </Fact>
      )}
      {usage !== undefined && (
        <>
          <Fact name="Read">{count(usage.inputTokens)}</Fact>
          <Fact name="Wrote">{count(usage.outputTokens)}</Fact>
          {usage.cacheReadTokens !== undefined && (
            <Fact name="From cache">{count(usage.cacheReadTokens)}</Fact>
          )}
        </>
      )}
    </>
  )
}

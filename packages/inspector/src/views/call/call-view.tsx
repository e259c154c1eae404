import { hrefOf, type ParamsOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import { choicesIn } from '../../data/choices-in.ts'
import { useAnswer } from '../../data/daemon-context.ts'
import { type CallExplanation, endOfCall } from '../../data/protocol.ts'
import { Status } from '../../ui/badge.tsx'
import { ValueDiff } from '../../ui/diff/value-diff.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Gone } from '../../ui/not-kept.tsx'
import { Page, Scroll } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { ValueBlock } from '../../ui/value-block.tsx'
import { Crumb } from '../crumb.tsx'
import { CallFacts } from './call-facts.tsx'
import { callLooks } from './call-looks.ts'
import { CallSteps } from './call-steps.tsx'

interface CallViewProps {
  readonly params: ParamsOf<'call'>
}

/** Why a call was allowed, or was not. */
export function CallView({ params }: CallViewProps) {
  const { callId, session, turn } = params
  const { data, error, refetch } = useAnswer('whyCall', {
    callId,
    ...(session !== undefined && { sessionId: session }),
    ...(turn !== undefined && { turnId: turn }),
  })
  if (data !== undefined) return <ExplainedCall why={data} />
  return (
    <Page name="Call" title="Call">
      {error === null && <LoadingRows label="Loading the call" count={4} />}
      {error !== null &&
        (choicesIn(error) !== undefined ? (
          <WhichCall callId={callId} error={error} />
        ) : (
          <ErrorState
            title="This call cannot be shown"
            error={error}
            onRetry={() => void refetch()}
          />
        ))}
    </Page>
  )
}

interface WhichCallProps {
  readonly callId: string
  readonly error: Error
}

/** Models name their calls: several may have the same id. */
function WhichCall({ callId, error }: WhichCallProps) {
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-3 px-4 py-10">
      <p className="text-sm">
        <HostileText text={error.message} />
      </p>
      <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
        {choicesIn(error)?.map(({ path, message }) => {
          const at = path.lastIndexOf('/')
          const [session, turn] = [path.slice(0, at), path.slice(at + 1)]
          return (
            <li key={path}>
              <Link
                href={hrefOf('call', { callId, session, turn })}
                className="block px-3 py-2.5 text-sm break-words text-accent hover:bg-hover"
              >
                <HostileText text={message} />
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface ExplainedCallProps {
  readonly why: CallExplanation
}

function ExplainedCall({ why }: ExplainedCallProps) {
  const { tool, sessionId, decidedBy } = why
  const { end, words } = endOfCall(why)
  const { tone, word } = callLooks[end]
  return (
    <Page
      name={`${tool}: ${word}`}
      title={
        <>
          <Crumb href={hrefOf('session', { sessionId })}>Session</Crumb>
          <span className="truncate">
            <HostileText text={tool} />
          </span>
          <span className="ml-1 font-normal">
            <Status tone={tone}>{word}</Status>
          </span>
        </>
      }
    >
      <Scroll>
        <div className="mx-auto grid max-w-6xl gap-x-10 gap-y-8 px-4 py-6 sm:px-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
          <div className="flex min-w-0 flex-col gap-8">
            <div className="flex flex-col gap-3">
              <p className="text-lg text-balance break-words">
                <span className="font-semibold">
                  <HostileText text={tool} />
                </span>{' '}
                <HostileText text={words} />.
              </p>
              {decidedBy?.reason !== undefined && (
                <blockquote className="border-l-2 border-line-strong pl-3 text-sm break-words whitespace-pre-wrap">
                  <HostileText text={decidedBy.reason} sliceLength={2_000} />
                </blockquote>
              )}
            </div>
            <Arguments why={why} />
            <CallSteps why={why} />
          </div>
          <CallFacts why={why} />
        </div>
      </Scroll>
    </Page>
  )
}

/** As they were judged, and what became of them before. */
function Arguments({ why }: ExplainedCallProps) {
  const { args, originalArgs, seal } = why
  const title = seal === undefined ? 'Arguments' : 'Sealed arguments'
  if (args === undefined) {
    return (
      <Section title={title}>
        <Gone what="What it was called with" />
      </Section>
    )
  }
  if (originalArgs === undefined || originalArgs === null) {
    return (
      <Section title={title} aside="as the model wrote them">
        <ValueBlock label="As they were judged" value={args} />
      </Section>
    )
  }
  return (
    <Section title={title} aside="changed since the model wrote them">
      <ValueDiff
        label="From what the model wrote to what was judged"
        before={originalArgs}
        after={args}
      />
    </Section>
  )
}

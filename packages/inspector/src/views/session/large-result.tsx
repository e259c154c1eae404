import { Download } from 'lucide-react'
import { useState } from 'react'
import { useAnswer, useDaemon } from '../../data/daemon-context.ts'
import { readWholeResult } from '../../data/read-whole-result.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { saveFile } from '../../ui/save-file.ts'

interface LargeResultProps {
  readonly sessionId: string
  readonly callId: string
  readonly tool: string
}

/** As much as is read, and drawn in slices, at once. */
const partLength = 100_000

const numberText = (value: number) => value.toLocaleString('en')

/** A result that no event could hold: part by part, or as a file. */
export function LargeResult({ sessionId, callId, tool }: LargeResultProps) {
  const [part, setPart] = useState(0)
  const { data, error, refetch } = useAnswer(
    'getResult',
    { sessionId, callId, from: part * partLength, limit: partLength },
    { keepPrevious: true },
  )
  if (data === undefined) {
    return (
      <p role="status" className="text-xs text-muted">
        {error === null ? (
          'Reading the result'
        ) : (
          <>
            The result cannot be shown. <HostileText text={error.message} />{' '}
            <Button size="small" onClick={() => void refetch()}>
              Try again
            </Button>
          </>
        )}
      </p>
    )
  }
  const { text, from, length, isError } = data
  const count = Math.max(1, Math.ceil(length / partLength))
  const to = from + text.length
  return (
    <section aria-label="Large result" className="flex flex-col gap-2">
      <CodeBlock
        // Another part begins at its beginning.
        key={from}
        label={`Result, characters ${numberText(from + 1)} to ${numberText(to)} of ${numberText(length)}`}
        text={text}
        isBad={isError}
      />
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        <Button
          size="small"
          disabled={part === 0}
          onClick={() => setPart(part - 1)}
        >
          Earlier part
        </Button>
        <Button
          size="small"
          disabled={part >= count - 1}
          onClick={() => setPart(part + 1)}
        >
          Later part
        </Button>
        Part {numberText(part + 1)} of {numberText(count)}
        <SaveAll sessionId={sessionId} callId={callId} tool={tool} />
      </div>
    </section>
  )
}

function SaveAll({ sessionId, callId, tool }: LargeResultProps) {
  const { client } = useDaemon()
  const [share, setShare] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const save = async () => {
    setShare(0)
    setProblem(undefined)
    try {
      const place = { sessionId, callId }
      const parts = await readWholeResult(client, place, setShare)
      const name = `${tool}-${callId}.txt`
      saveFile({ name, parts, type: 'text/plain' })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setShare(undefined)
  }
  return (
    <span className="ml-auto flex items-center gap-2">
      {problem !== undefined && (
        <span role="alert" className="text-bad">
          <HostileText text={problem} sliceLength={500} />
        </span>
      )}
      {share !== undefined && (
        <span role="status">{Math.floor(share * 100)} % read</span>
      )}
      <Button
        size="small"
        icon={<Download className="size-3.5" />}
        isBusy={share !== undefined}
        onClick={() => void save()}
      >
        Save all of it
      </Button>
    </span>
  )
}

import { ArrowUp, Play, Square } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useShortcuts } from '../../around/keyboard/shortcuts.ts'
import { useDaemon } from '../../data/daemon-context.ts'
import type { SessionDetail } from '../../data/protocol.ts'
import { randomKey } from '../../data/random-key.ts'
import { Button } from '../../ui/button.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

interface ComposerProps {
  readonly session: SessionDetail
}

/** A word to the agent: a new turn, or into the one that runs. */
export function Composer({ session }: ComposerProps) {
  const { client } = useDaemon()
  const { id: sessionId, state } = session
  const [problem, setProblem] = useState<string>()
  const [isHeard, setHeard] = useState(false)
  const isBusy = state === 'running' || state === 'waiting'
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      setProblem(undefined)
      setHeard(false)
      await work()
      return true
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      return false
    }
  }
  if (state === 'ended') {
    return (
      <p className="shrink-0 border-t border-line px-4 py-3 text-center text-sm text-muted">
        This session has ended.
      </p>
    )
  }
  const send = (input: string) =>
    attempt(async () => {
      const key = randomKey()
      if (!isBusy) {
        await client.send({ sessionId, input, key })
        return
      }
      const { type, reason } = await client.steer({ sessionId, input, key })
      if (type === 'rejected') throw new Error(reason ?? 'It was not taken.')
      setHeard(true)
    })
  return (
    <div className="shrink-0 pb-4">
      <div className="mx-auto max-w-3xl px-4">
        {problem !== undefined && (
          <p role="alert" className="pb-2 text-xs text-bad">
            <HostileText text={problem} />
          </p>
        )}
        {isHeard && isBusy && (
          <p role="status" className="pb-2 text-xs text-muted">
            The agent hears that before its next step.
          </p>
        )}
        {state === 'interrupted' && (
          <p className="flex items-center justify-between gap-3 pb-2 text-xs text-muted">
            A turn was interrupted, and can go on.
            <Button
              size="small"
              icon={<Play className="size-3.5" />}
              onClick={() => void attempt(() => client.resume({ sessionId }))}
            >
              Resume
            </Button>
          </p>
        )}
        <Editor
          isBusy={isBusy}
          onSend={send}
          onCancel={() => void attempt(() => client.cancel({ sessionId }))}
        />
      </div>
    </div>
  )
}

interface EditorProps {
  readonly isBusy: boolean
  /** Whether it was taken: otherwise the words stay. */
  readonly onSend: (text: string) => Promise<boolean>
  readonly onCancel: () => void
}

function Editor({ isBusy, onSend, onCancel }: EditorProps) {
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useShortcuts([
    {
      keys: 'i',
      about: 'Write to the agent',
      group: 'This view',
      run: () => field.current?.focus(),
    },
    {
      keys: 'mod+.',
      about: 'Stop the turn',
      group: 'This view',
      whileTyping: true,
      run: () => {
        if (isBusy) onCancel()
      },
    },
  ])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it grows with its text.
  useLayoutEffect(() => {
    const box = field.current
    if (box === null) return
    box.style.height = 'auto'
    box.style.height = `${Math.min(240, box.scrollHeight)}px`
  }, [text])
  const send = async () => {
    const words = text.trim()
    if (words === '') return
    setText('')
    if (await onSend(words)) return
    setText((since) => (since === '' ? words : `${words}\n${since}`))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') field.current?.blur()
    if (event.key !== 'Enter' || event.shiftKey) return
    if (event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <div className="flex items-end gap-1 rounded-lg border border-line-strong bg-raised py-1.5 pr-1.5 pl-3 focus-within:border-focus focus-within:shadow-[0_0_0_1px_var(--focus)]">
      <textarea
        ref={field}
        rows={1}
        aria-label={isBusy ? 'Steer the agent' : 'Write to the agent'}
        placeholder={
          isBusy ? 'Steer the agent while it works' : 'Write to the agent'
        }
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
        className="max-h-60 min-h-8 min-w-0 flex-1 resize-none bg-transparent py-1 text-base outline-none placeholder:text-faint"
      />
      {isBusy && (
        <IconButton
          label="Stop the turn"
          icon={<Square className="fill-current" />}
          look="danger"
          onClick={onCancel}
        />
      )}
      <IconButton
        label={isBusy ? 'Steer' : 'Send'}
        icon={<ArrowUp />}
        disabled={text.trim() === ''}
        onClick={() => void send()}
        className="bg-accent text-accent-ink hover:bg-accent-hover hover:text-accent-ink disabled:bg-active disabled:text-muted disabled:opacity-100"
      />
    </div>
  )
}

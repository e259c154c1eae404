import { TriangleAlert } from 'lucide-react'
import { useAnswer } from '../../data/daemon-context.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { configNotes } from './config-notes.ts'

/** What is written and does not count, above what does; mostly nothing. */
export function NotInForce() {
  const { data, error } = useAnswer('getConfig', {})
  const unknown = { text: 'It cannot be told whether all is in force' }
  const failed =
    error === null ? [] : [{ ...unknown, details: [error.message] }]
  const notes = data === undefined ? failed : configNotes(data)
  if (notes.length === 0) return null
  return (
    <section aria-label="Not in force" className="border-b border-line">
      <ul className="flex flex-col gap-2 px-4 py-3">
        {notes.map(({ text, details }) => (
          <li key={`${text} ${details.join(' ')}`} className="flex gap-2">
            <TriangleAlert
              aria-hidden="true"
              className="mt-0.5 size-3.5 shrink-0 text-caution"
            />
            <div className="min-w-0 text-sm">
              <p>{text}</p>
              {details.map((detail) => (
                <p
                  key={detail}
                  className="font-mono text-xs break-words text-muted"
                >
                  <HostileText text={detail} />
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import type { UsageItem } from '../../data/protocol.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Age } from '../../ui/times.tsx'
import { costText, countText } from './numbers.ts'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })
const cell = 'px-3 py-2 text-right whitespace-nowrap'

interface UsageTableProps {
  readonly by: 'agent' | 'session' | 'day'
  readonly items: readonly UsageItem[]
}

const headings = { agent: 'Agent', session: 'Session', day: 'Day' } as const

export function UsageTable({ by, items }: UsageTableProps) {
  if (items.length === 0) {
    return <p className="text-sm text-muted">No turn began in this time.</p>
  }
  return (
    <section
      // Whoever has no mouse scrolls it with the keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
      tabIndex={0}
      aria-label="What turns used"
      className="overflow-x-auto rounded-md border border-line"
    >
      <table className="w-full text-xs tabular-nums">
        <thead className="bg-sunken text-muted">
          <tr>
            <th className="px-3 py-2 text-left font-medium">{headings[by]}</th>
            <th className={`${cell} font-medium`}>Turns</th>
            <th className={`${cell} font-medium`}>Failed</th>
            <th className={`${cell} font-medium`}>Tokens in</th>
            <th className={`${cell} font-medium`}>Tokens out</th>
            <th className={`${cell} font-medium`}>Cost</th>
            <th className={`${cell} font-medium`}>Last</th>
          </tr>
        </thead>
        <tbody>
          {(by === 'day' ? items.toReversed() : items).map((item) => (
            <tr key={item.key} className="border-t border-line hover:bg-hover">
              <td className="max-w-80 truncate px-3 py-2 text-sm">
                <Key by={by} item={item} />
              </td>
              <td className={cell}>{countText(item.turns)}</td>
              <td className={cell}>{countText(item.failed)}</td>
              <td className={cell}>{countText(item.inputTokens)}</td>
              <td className={cell}>{countText(item.outputTokens)}</td>
              <td className={cell}>{costText(item.cost)}</td>
              <td className={cell}>
                <Age at={item.lastAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface KeyProps {
  readonly by: UsageTableProps['by']
  readonly item: UsageItem
}

function Key({ by, item: { key } }: KeyProps) {
  if (by === 'day') return day.format(Number(key))
  const href =
    by === 'session'
      ? hrefOf('session', { sessionId: key })
      : hrefOf('sessions', { agent: key })
  return (
    <Link href={href} className="hover:underline">
      <HostileText text={key} />
    </Link>
  )
}

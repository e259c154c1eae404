import type { RefObject } from 'react'
import { useShortcuts } from '../../../around/keyboard/shortcuts.ts'
import { navigate } from '../../../around/routes/navigation.ts'
import type { Row } from './flatten.ts'
import type { TurnPlace } from './fold-told.ts'
import { hrefOfNode } from './href-of-node.ts'
import type { RangeControl } from './use-range.ts'

interface TreeKeys {
  readonly place: TurnPlace
  readonly rows: readonly Row[]
  /** Which row is selected; -1: none. */
  readonly at: number
  readonly control: RangeControl
  readonly search: RefObject<HTMLInputElement | null>
  readonly onSelect: (key: string) => void
  readonly onToggle: (key: string) => void
}

const usual: ReadonlySet<string> = new Set(['done', 'proceeded', 'skipped'])

/** The keyboard of the waterfall. */
export function useTreeKeys(keys: TreeKeys): void {
  const { place, rows, at, control, search, onSelect, onToggle } = keys
  const row = rows[at]
  const go = (to: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, to))]
    if (next !== undefined) onSelect(next.node.key)
  }
  const left = () => {
    if (row === undefined) return go(0)
    if (row.hasChildren && !row.isFolded) return onToggle(row.node.key)
    const parent = rows.findLastIndex(
      ({ depth }, index) => index < at && depth < row.depth,
    )
    if (parent >= 0) go(parent)
  }
  const right = () => {
    if (row?.isFolded) onToggle(row.node.key)
    else if (row?.hasChildren) go(at + 1)
  }
  const open = () => {
    if (row === undefined) return
    const href = hrefOfNode(row.node, place)
    if (href !== undefined) navigate(href)
    else if (row.hasChildren) onToggle(row.node.key)
  }
  const jump = (step: 1 | -1) => {
    const isOdd = ({ node }: Row) =>
      node.kind !== 'turn' && node.kind !== 'step' && !usual.has(node.outcome)
    const found =
      step > 0
        ? rows.findIndex((one, index) => index > at && isOdd(one))
        : rows.findLastIndex((one, index) => index < at && isOdd(one))
    if (found >= 0) go(found)
  }
  const view = 'This view'
  useShortcuts([
    { keys: 'j', about: 'Next', group: 'Lists', run: () => go(at + 1) },
    { keys: 'k', about: 'Previous', group: 'Lists', run: () => go(at - 1) },
    { keys: 'ArrowDown', about: 'Next', group: 'Lists', run: () => go(at + 1) },
    {
      keys: 'ArrowUp',
      about: 'Previous',
      group: 'Lists',
      run: () => go(at - 1),
    },
    { keys: 'Enter', about: 'Open', group: 'Lists', run: open },
    {
      keys: '/',
      about: 'Filter',
      group: 'Lists',
      run: () => search.current?.focus(),
    },
    { keys: 'ArrowLeft', about: 'Fold, or go out', group: view, run: left },
    { keys: 'ArrowRight', about: 'Unfold, or go in', group: view, run: right },
    {
      keys: 'n',
      about: 'Next that did not just go on',
      group: view,
      run: () => jump(1),
    },
    {
      keys: 'p',
      about: 'Previous that did not just go on',
      group: view,
      run: () => jump(-1),
    },
    { keys: '+', about: 'Closer', group: view, run: () => control.zoomBy(0.5) },
    { keys: '-', about: 'Farther', group: view, run: () => control.zoomBy(2) },
    {
      keys: '0',
      about: 'The whole turn',
      group: view,
      run: () => control.setRange(undefined),
    },
    {
      keys: 'h',
      about: 'Earlier',
      group: view,
      run: () => control.panBy(-0.25),
    },
    { keys: 'l', about: 'Later', group: view, run: () => control.panBy(0.25) },
  ])
}

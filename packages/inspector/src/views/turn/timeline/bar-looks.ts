import { toneDot } from '../../../ui/tone.ts'
import { outcomes } from '../../outcomes.ts'
import type { Node } from './nodes.ts'

const stripes =
  '[background-image:repeating-linear-gradient(135deg,transparent_0_3px,var(--surface)_3px_5px)]'

const outlines = {
  neutral: 'border-faint',
  good: 'border-good',
  caution: 'border-caution-mark',
  bad: 'border-bad',
  changed: 'border-changed',
  noted: 'border-noted',
} as const

const borders = {
  outline: 'border-solid',
  dashed: 'border-dashed',
  dotted: 'border-dotted',
} as const

/** How the bar of something is drawn: hooks by what they did, others calmly. */
export function barClass({ kind, outcome }: Node): string {
  const { tone, fill } = outcomes[outcome]
  const isOrdinary = outcome === 'done' || outcome === 'running'
  if (kind === 'turn' || kind === 'step' || kind === 'point') {
    return isOrdinary ? 'h-1 bg-line-strong' : `h-1 ${toneDot[tone]}`
  }
  const height = kind === 'hook' ? 'h-2.5' : 'h-3.5'
  if (isOrdinary && kind === 'model') return `${height} bg-accent`
  if (isOrdinary && kind === 'question') return `${height} bg-caution-mark`
  if (isOrdinary && kind !== 'hook') return `${height} bg-faint`
  if (fill !== 'solid' && fill !== 'striped') {
    return `${height} border-[1.5px] ${borders[fill]} ${outlines[tone]}`
  }
  const base = `${height} ${toneDot[tone]}`
  return fill === 'striped' ? `${base} ${stripes}` : base
}

import type { Plan, PlanStep } from '../../data/protocol.ts'

export const nodeHeight = 56
const gap = 16
const laneGap = 36
const labelWidth = 44
const maxNodeWidth = 300
/** Room at the right for ties that pass others by. */
const gutterStep = 14

interface PlacedStep {
  readonly step: PlanStep
  readonly x: number
  readonly y: number
}

interface PlacedLane {
  readonly lane: number
  readonly label: string
  readonly y: number
  readonly height: number
}

export interface PlacedTie {
  readonly key: string
  readonly kind: Plan['ties'][number]['kind']
  readonly from: string
  readonly to: string
  /** The path that draws it. */
  readonly path: string
}

export interface PlanLayout {
  readonly width: number
  readonly height: number
  readonly nodeWidth: number
  readonly steps: readonly PlacedStep[]
  readonly lanes: readonly PlacedLane[]
  readonly ties: readonly PlacedTie[]
  /** From each lane to the next. */
  readonly flow: readonly string[]
}

/**
 * Lanes from top to bottom in the order they run; within one, side by side as
 * far as there is room.
 */
export function layoutPlan(plan: Plan, room: number): PlanLayout {
  const gutter = gutterOf(plan)
  const wide = Math.max(160, room - labelWidth - gutter)
  const nodeWidth = Math.min(maxNodeWidth, wide)
  const perRow = Math.max(1, Math.floor((wide + gap) / (nodeWidth + gap)))
  const lanes: PlacedLane[] = []
  const steps: PlacedStep[] = []
  let y = 0
  for (const [lane, members] of byLane(plan)) {
    const rows = Math.ceil(members.length / perRow)
    const height = rows * nodeHeight + (rows - 1) * gap
    for (const [at, step] of members.entries()) {
      steps.push({
        step,
        x: labelWidth + (at % perRow) * (nodeWidth + gap),
        y: y + Math.floor(at / perRow) * (nodeHeight + gap),
      })
    }
    lanes.push({ lane, label: labelOf(members), y, height })
    y += height + laneGap
  }
  const columns = Math.min(perRow, widest(plan))
  const right = labelWidth + columns * (nodeWidth + gap) - gap
  return {
    width: right + gutter,
    height: Math.max(0, y - laneGap),
    nodeWidth,
    steps,
    lanes,
    ties: tiesOf(plan, { steps, nodeWidth, right }),
    flow: lanes.slice(1).map((next, at) => {
      const from = lanes[at]
      const x = labelWidth + 20
      return `M${x} ${(from?.y ?? 0) + (from?.height ?? 0)}V${next.y}`
    }),
  }
}

function byLane({ steps }: Plan): ReadonlyMap<number, PlanStep[]> {
  const lanes = new Map<number, PlanStep[]>()
  for (const step of steps) {
    lanes.set(step.lane, [...(lanes.get(step.lane) ?? []), step])
  }
  return lanes
}

function widest(plan: Plan): number {
  const sizes = [...byLane(plan).values()].map(({ length }) => length)
  return Math.max(1, ...sizes)
}

function labelOf(members: readonly PlanStep[]): string {
  const [first] = members
  if (first?.isObserver) return 'after'
  const last = members.at(-1)
  if (first?.order === last?.order) return String(first?.order ?? '')
  return `${first?.order}–${last?.order}`
}

function isFar(plan: Plan, { from, to }: Plan['ties'][number]): boolean {
  const lane = (name: string) =>
    plan.steps.find((step) => step.name === name)?.lane ?? 0
  return Math.abs(lane(to) - lane(from)) !== 1
}

function gutterOf(plan: Plan): number {
  const far = plan.ties.filter((tie) => isFar(plan, tie)).length
  return far === 0 ? 0 : 24 + Math.min(far, 8) * gutterStep
}

interface Drawn {
  readonly steps: readonly PlacedStep[]
  readonly nodeWidth: number
  readonly right: number
}

function tiesOf(
  plan: Plan,
  { steps, nodeWidth, right }: Drawn,
): readonly PlacedTie[] {
  const placed = new Map(steps.map((one) => [one.step.name, one]))
  let far = 0
  return plan.ties.flatMap((tie) => {
    const from = placed.get(tie.from)
    const to = placed.get(tie.to)
    if (from === undefined || to === undefined) return []
    const key = `${tie.kind} ${tie.from} ${tie.to}`
    if (!isFar(plan, tie)) {
      return [{ ...tie, key, path: straight(from, to, nodeWidth) }]
    }
    const bend = right + 16 + (far++ % 8) * gutterStep
    return [{ ...tie, key, path: around(from, to, { nodeWidth, bend }) }]
  })
}

/** From the foot of one to the head of the next. */
function straight(from: PlacedStep, to: PlacedStep, width: number): string {
  const [x1, y1] = [from.x + width * 0.6, from.y + nodeHeight]
  const [x2, y2] = [to.x + width * 0.6, to.y]
  const half = (y2 - y1) / 2
  return `M${x1} ${y1}C${x1} ${y1 + half} ${x2} ${y2 - half} ${x2} ${y2}`
}

/** Past those between them, on their right. */
function around(
  from: PlacedStep,
  to: PlacedStep,
  { nodeWidth, bend }: { nodeWidth: number; bend: number },
): string {
  const radius = 6
  const [x1, y1] = [from.x + nodeWidth, from.y + nodeHeight / 2]
  const [x2, y2] = [to.x + nodeWidth, to.y + nodeHeight / 2]
  const turn = y2 >= y1 ? radius : -radius
  return [
    `M${x1} ${y1}H${bend - radius}Q${bend} ${y1} ${bend} ${y1 + turn}`,
    `V${y2 - turn}Q${bend} ${y2} ${bend - radius} ${y2}H${x2}`,
  ].join('')
}

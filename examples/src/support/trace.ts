import { defineHook, type Engine, type HookRecord } from 'hookline'
import { type AgentEvent, points } from 'hookline/lifecycle'
import { describeEvent } from './describe-event.ts'

/** Watch every point of the step loop: one without hooks is not even asked. */
export const probes = Object.values(points)
  .filter(({ name }) => name !== 'runtime.turn_pre_context')
  .map((point) =>
    defineHook({
      name: `probe:${point.name}`,
      on: point,
      execution: 'record',
      run: () => {},
    }),
  )

/** Prints the points that are asked, what hooks answer, and the events. */
export function printLife(engine: Engine): void {
  const records = new Map<string, HookRecord[]>()
  engine.observe((happened) => {
    if (happened.type === 'hook-end') {
      const { record } = happened
      if (record.point === 'event' || record.state === 'skipped') return
      if (record.hook.startsWith('probe:')) return
      const before = records.get(record.dispatch) ?? []
      records.set(record.dispatch, [...before, record])
    }
    if (happened.type === 'dispatch-start' && happened.point === 'event') {
      // Only the runtime asks this point, and only with this.
      console.log(`    ${describeEvent(happened.input as AgentEvent)}`)
    }
    if (happened.type === 'dispatch-end' && happened.point !== 'event') {
      const { dispatch, point, value } = happened
      const said = (records.get(dispatch) ?? []).map(describeAnswer)
      console.log([dim(point), toolIn(value), ...said].join(' ').trimEnd())
    }
  })
}

/** Which call it is about, at the points that are about one. */
function toolIn(value: unknown): string {
  const { tool, call } = Object(value)
  return tool ?? call?.tool ?? ''
}

function describeAnswer({ hook, answer, failure, policy, state }: HookRecord) {
  const what = failure ? `${failure.code}, fails ${policy}` : (answer ?? state)
  const paint = failure || answer === 'reject' ? red : green
  return paint(`${hook}: ${what}`)
}

const isColored = process.stdout.isTTY && !process.env['NO_COLOR']

function paint(code: number): (text: string) => string {
  return (text) => (isColored ? `\u001b[${code}m${text}\u001b[0m` : text)
}

const dim = paint(2)
const red = paint(31)
const green = paint(32)

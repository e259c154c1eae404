import type { WholeTrace } from '../../data/trace/read-trace.ts'
import { saveFile } from '../../ui/save-file.ts'
import type { ToldTurn } from './timeline/told-turn.ts'

/** A turn as somebody takes it along: all that this page knows of it. */
export function exportOf(trace: WholeTrace, told: ToldTurn): string {
  const { turn, calls, runs, hidden, isCut } = trace
  const { steps, models, questions, children, compactions, manifest } = told
  const whole = {
    format: 'hookline.turn.1',
    turn,
    calls,
    runs,
    hidden,
    isCut: isCut || told.isCut,
    steps,
    modelCalls: models,
    approvals: questions,
    subagents: children,
    compactions,
    ...(manifest !== undefined && { prompt: manifest }),
  }
  return `${JSON.stringify(whole, null, 2)}\n`
}

export function download(name: string, text: string): void {
  saveFile({ name, parts: [text], type: 'application/json' })
}

// Times one dispatch of hookline beside other libraries. README.md says how to
// read the output; its last line is for programs.
import { availableParallelism } from 'node:os'
import { dispatchContest } from './candidates.ts'
import type { Kind } from './dispatch-candidate.ts'
import { measure } from './measure.ts'
import { type Summary, summarize } from './summary.ts'
import { layOutTable } from './table.ts'

const kinds: readonly Kind[] = ['sync', 'async']
const sizes = [0, 1, 5, 20, 100]
const rounds = { warmUp: 5, counted: 25, sliceMs: 25 }

interface Result {
  readonly kind: Kind
  readonly hooks: number
  readonly summaries: readonly Summary[]
}

const cases = kinds.flatMap((kind) => sizes.map((hooks) => ({ kind, hooks })))
const samples = await measure(
  cases.map(({ kind, hooks }) => dispatchContest(kind, hooks)),
  rounds,
)
const results = cases.map(
  (one, index): Result => ({
    ...one,
    summaries: summarize(samples[index] ?? []),
  }),
)

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}, ` +
    `${availableParallelism()} processors; median of ${rounds.counted} ` +
    'interleaved rounds.\n' +
    'hookline with records in memory, deadlines, failure policy, checked answers\n' +
    'and a frozen input. The others have none of these.',
)
for (const kind of kinds) {
  console.log(`\nDispatch with ${kind} hooks\n`)
  console.log(tableOf(results.filter((result) => result.kind === kind)))
}
console.log(
  `\n${JSON.stringify({
    none: ratioOf('sync', 0),
    sync5: ratioOf('sync', 5),
    async5: ratioOf('async', 5),
    async20: ratioOf('async', 20),
  })}`,
)

function tableOf(shown: readonly Result[]): string {
  const heading = [
    'library',
    'hooks',
    'ns per dispatch',
    'p10–p90',
    '× bare await loop',
  ]
  const rows = shown.flatMap(({ hooks, summaries }) => [
    ...summaries.map(({ name, medianNs, p10Ns, p90Ns, ratio }) => [
      name,
      `${hooks}`,
      formatNs(medianNs),
      `${formatNs(p10Ns)}–${formatNs(p90Ns)}`,
      ratio.toFixed(2),
    ]),
    [],
  ])
  return layOutTable(heading, rows.slice(0, -1))
}

function formatNs(ns: number): string {
  return Math.round(ns).toLocaleString('en').replaceAll(',', ' ')
}

function ratioOf(kind: Kind, hooks: number): number {
  const result = results.find((one) => one.kind === kind && one.hooks === hooks)
  const ours = result?.summaries.find(({ name }) => name === 'hookline')
  if (ours === undefined) throw new Error('Nothing was measured.')
  return Number(ours.ratio.toFixed(2))
}

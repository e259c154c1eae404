// Times the points of every hook that ships, in a turn with one call of a model
// and one of a tool. README.md says how to read the output; its last line is
// for programs.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { shippedHooks } from '@hookline/agent/hooks'
import { exampleOptions } from '../../packages/agent/src/hooks/fixtures/example-options.ts'
import { measureEntry, type PointCost } from './hooks/measure-entry.ts'
import { layOutTable } from './table.ts'

const quick = process.argv.includes('--quick')
const rounds = quick
  ? { warmUp: 1, counted: 3, turns: 20 }
  : { warmUp: 5, counted: 15, turns: 100 }

const folder = await mkdtemp(join(tmpdir(), 'hookline-bench-'))
const costs: PointCost[] = []
try {
  for (const spec of shippedHooks) {
    const make = exampleOptions[spec.name]
    if (make === undefined) {
      throw new Error(
        `There are no options to measure "${spec.name}" with; add them to packages/agent/src/hooks/fixtures/example-options.ts.`,
      )
    }
    costs.push(...(await measureEntry(spec, make(folder), rounds)))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}, ` +
    `${availableParallelism()} processors; median of ${rounds.counted} rounds ` +
    `of ${rounds.turns} turns.\n`,
)
const rows = costs.map(({ entry, point, us, emptyUs }) => [
  ...[entry, point, us.toFixed(1), emptyUs.toFixed(1)],
  (us - emptyUs).toFixed(1),
])
console.log(
  layOutTable(['entry', 'point', 'µs per call', 'µs idle', 'µs own'], rows),
)
const verdict = costs.map(({ entry, point, us }): [string, number] => [
  `${entry}/${point}`,
  Math.round(us * 10) / 10,
])
console.log(JSON.stringify({ usPerCall: Object.fromEntries(verdict) }))

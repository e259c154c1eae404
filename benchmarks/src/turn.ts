// Times whole turns of @hookline/agent beside other agent frameworks, all with
// a scripted model that answers at once. README.md says how to read the output;
// its last line is for programs.
import { availableParallelism } from 'node:os'
import { measure } from './measure.ts'
import { type Cell, countedRatio } from './turn/cell.ts'
import { coldImportMs } from './turn/cold-import.ts'
import { readOptions } from './turn/options.ts'
import { startFramework } from './turn/remote-candidate.ts'
import { tableOf } from './turn/report.ts'
import { type Scenario, scenarios } from './turn/scenario.ts'

const options = readOptions(process.argv.slice(2))
const hookCounts = [0, 5, 20]
const importTimes = 11
const rounds = {
  warmUp: 5,
  counted: options.rounds,
  sliceMs: 100,
  firstTimes: 20,
  leastTimes: 3,
}

const importMs = coldImportMs('@hookline/agent', importTimes)
const cells = await measureCells(
  scenarios.flatMap((scenario) =>
    hookCounts.map((hooks) => ({ scenario, hooks })),
  ),
)

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}, ` +
    `${availableParallelism()} processors; median of ${rounds.counted} ` +
    'interleaved rounds.\n' +
    'hookline with hook records, deadlines, the seal and a journal, all in\n' +
    'memory. The others have none of these.',
)
for (const scenario of scenarios) {
  console.log(`\n${scenario.title}\n`)
  console.log(tableOf(cells.filter((cell) => cell.scenario === scenario)))
}
console.log(
  `\nCold import of @hookline/agent: ${importMs.toFixed(0)} ms over bare node ` +
    `(median of ${importTimes} pairs of processes).`,
)
console.log(
  '\nThe last line holds hookline to pi. Where the p10–p90 of both overlap, a\n' +
    'ratio above 1 counts as 1; the tables have it as it was measured.',
)
const verdict = cells.flatMap((cell): [string, number][] => {
  const ratio = countedRatio(cell)
  const key = `${cell.scenario.key}/${cell.hooks}`
  return ratio === undefined ? [] : [[key, ratio]]
})
const ratios = verdict.map(([, ratio]) => ratio)
console.log(
  JSON.stringify({
    worstVsPi: ratios.length > 0 ? Math.max(...ratios) : null,
    cells: Object.fromEntries(verdict),
  }),
)

async function measureCells(
  cases: readonly { readonly scenario: Scenario; readonly hooks: number }[],
): Promise<Cell[]> {
  using started = new DisposableStack()
  const frameworks = options.frameworks.map((one) =>
    started.use(startFramework(one)),
  )
  const contests = cases.map(({ scenario, hooks }) => ({
    candidates: frameworks.map((one) => one.candidate(scenario, hooks)),
  }))
  const samples = await measure(contests, rounds)
  const measured: Cell[] = []
  for (const [index, { candidates }] of contests.entries()) {
    const allocated = []
    for (const one of candidates) allocated.push(await one.allocated())
    const { scenario, hooks } = cases[index] ?? missing()
    measured.push({
      scenario,
      hooks,
      samples: samples[index] ?? missing(),
      allocated,
    })
  }
  return measured
}

function missing(): never {
  throw new Error('Nothing was measured.')
}

/**
 * One call of Node. The output of a step is shown when it fails, or as it comes
 * when the step is `shown`.
 * @typedef {object} Step
 * @property {string[]} run the arguments of node, relative to the root
 * @property {boolean} [shown]
 * @property {boolean} [isBeside] whether others like it may run beside it
 * @property {Record<string, string>} [env]
 */

const biome = 'node_modules/@biomejs/biome/bin/biome'
const vitest = ['node_modules/vitest/vitest.mjs', 'run']
const publint = ['node_modules/publint/src/cli.js', '--strict']
const typesWrong = [
  'node_modules/@arethetypeswrong/cli/dist/index.js',
  ...['--profile', 'esm-only', '--pack'],
]

/** @type {Record<string, Step>} */
const steps = {
  build: { run: ['scripts/build.mjs'] },
  format: { run: [biome, 'check', '--write'], shown: true },
  'sync-docs': { run: ['scripts/check-docs.mjs', '--write'], shown: true },
  docs: { run: ['docs/site/build-site.mjs'], shown: true },
  measure: { run: ['scripts/measure-house.mjs'], shown: true },

  'check:types': { run: ['node_modules/typescript/bin/tsc', '-b'] },
  'check:lint': { run: [biome, 'ci', '--error-on-warnings', '--colors=off'] },
  'check:promises': {
    run: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  },
  'check:imports': { run: ['scripts/check-imports.mjs'] },
  'check:unused': { run: ['node_modules/knip/bin/knip.js'] },
  'check:docs': { run: ['scripts/check-docs.mjs'] },
  'check:faults': { run: ['scripts/check-faults.mjs'], shown: true },
  'check:package': { run: [...publint, 'packages/core'] },
  'check:package-types': { run: [...typesWrong, 'packages/core'] },
  'check:package-agent': { run: [...publint, 'packages/agent'] },
  'check:package-types-agent': { run: [...typesWrong, 'packages/agent'] },
  'check:package-daemon': { run: [...publint, 'packages/daemon'] },
  'check:package-types-daemon': { run: [...typesWrong, 'packages/daemon'] },
  'check:examples': { run: ['scripts/run-examples.mjs'], shown: true },
  'check:tests': { run: vitest, shown: true },

  pictures: {
    run: ['packages/inspector/screenshots/take-screenshots.ts'],
    shown: true,
  },
  demo: { run: ['packages/daemon/dist/cli/main.js', 'demo'], shown: true },
  'all-tests': { run: vitest, shown: true, env: { HOOKLINE_LONG: '1' } },
  'engine-benchmark': { run: ['benchmarks/src/engine.ts'], shown: true },
  'turn-benchmark': { run: ['benchmarks/src/turn.ts'], shown: true },
  'store-benchmark': { run: ['benchmarks/src/store.ts'], shown: true },
  'handlers-benchmark': { run: ['benchmarks/src/handlers.ts'], shown: true },
  'hooks-benchmark': { run: ['benchmarks/src/hooks.ts'], shown: true },
  'daemon-benchmark': { run: ['benchmarks/src/daemon.ts'], shown: true },
  'inspector-benchmark': {
    run: ['packages/inspector/benchmark/measure-inspector.ts'],
    shown: true,
  },
}

/** @type {Record<string, string[]>} */
const jobs = {
  start: ['build', 'demo'],
  screenshots: ['build', 'pictures'],
  // The reference is made from the built packages.
  'docs:sync': ['build', 'sync-docs'],
  // The build comes first because examples and benchmarks import the built
  // package; the tests come last because their closing line ends the output.
  test: [
    'build',
    ...Object.keys(steps).filter(
      (name) => name.startsWith('check:') && name !== 'check:tests',
    ),
    'check:tests',
  ],
  'test:long': ['build', 'all-tests'],
  bench: [
    'build',
    ...Object.keys(steps).filter((name) => name.endsWith('-benchmark')),
  ],
  'bench:engine': ['build', 'engine-benchmark'],
  'bench:turn': ['build', 'turn-benchmark'],
  'bench:store': ['build', 'store-benchmark'],
  'bench:handlers': ['build', 'handlers-benchmark'],
  'bench:hooks': ['build', 'hooks-benchmark'],
  'bench:daemon': ['build', 'daemon-benchmark'],
  'bench:inspector': ['build', 'inspector-benchmark'],
}

/**
 * The steps of a job, or the one step of that name. Extra arguments go to the
 * last step.
 * @param {string} job
 * @param {string[]} extra
 * @returns {(Step & { name: string })[]}
 */
export function stepsOf(job, extra = []) {
  const names = jobs[job] ?? (steps[job] ? [job] : undefined)
  if (!names) {
    const known = [...Object.keys(jobs), ...Object.keys(steps)].join(', ')
    throw new Error(`There is no job "${job}"; the jobs are: ${known}.`)
  }
  return names.map((name, index) => {
    const step = /** @type {Step} */ (steps[name])
    const isLast = index === names.length - 1
    const run = isLast ? [...step.run, ...extra] : step.run
    return {
      ...step,
      name,
      run,
      isBeside: !isLast && name.startsWith('check:'),
    }
  })
}

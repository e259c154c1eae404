// Runs a job of jobs.mjs with a Node that is new enough and with the locked
// dependencies. Needs nothing but Node 18 and npm.
import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSupportedNode, provideNode } from './ensure-node.mjs'
import { installDependencies } from './install-dependencies.mjs'
import { stepsOf } from './jobs.mjs'
import { runSteps } from './run-steps.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [job = '', ...extra] = process.argv.slice(2)

// It goes to the steps as well, and they may have things to put in order first.
process.on('SIGINT', () => {})

try {
  process.exitCode = isSupportedNode(process.versions.node)
    ? await runJob()
    : continueWith(provideNode(root))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function runJob() {
  const steps = stepsOf(job, extra)
  installDependencies(root)
  return runSteps(steps, { root })
}

/** @param {string} node */
function continueWith(node) {
  const PATH = [dirname(node), process.env['PATH']].join(delimiter)
  const launcher = join(root, 'scripts', 'launch.mjs')
  const { status } = spawnSync(node, [launcher, job, ...extra], {
    env: { ...process.env, PATH },
    stdio: 'inherit',
  })
  return status ?? 1
}

import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** @typedef {import('./jobs.mjs').Step & { name: string }} NamedStep */
/** @typedef {(text: string) => void} Print */

/** How many checks run at the same time. */
const lanes = 2

/**
 * Runs the steps one after another, checks two at a time, and gives 0 or the
 * exit code of the first that fails; those behind it do not begin.
 * @param {NamedStep[]} steps
 * @param {{ root: string, print?: Print }} options
 */
export async function runSteps(steps, { root, print = console.log }) {
  for (let next = 0; next < steps.length; ) {
    const group = besideEachOther(steps.slice(next))
    next += group.length
    const isLast = next === steps.length
    const code =
      group.length > 1
        ? await runBesideEachOther(group, { root, print })
        : await runOne(group[0], { root, print, isLast })
    if (code !== 0) return code
  }
  return 0
}

/**
 * The first steps, as far as they can run at the same time.
 * @param {NamedStep[]} steps
 * @returns {[NamedStep, ...NamedStep[]]}
 */
function besideEachOther([first, ...others]) {
  if (!first?.isBeside) return [/** @type {NamedStep} */ (first)]
  const end = others.findIndex(({ isBeside }) => !isBeside)
  return [first, ...(end === -1 ? others : others.slice(0, end))]
}

/**
 * @param {NamedStep[]} steps
 * @param {{ root: string, print: Print }} options
 */
async function runBesideEachOther(steps, { root, print }) {
  const waiting = [...steps]
  let failed = 0
  const runLane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const code = await runOne(step, { root, print, isBeside: true })
      if (code === 0) continue
      failed ||= code
      waiting.length = 0
    }
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
  return failed
}

/**
 * @param {NamedStep} step
 * @param {{ root: string, print: Print, isLast?: boolean, isBeside?: boolean }} options
 */
async function runOne(step, { root, print, isLast = false, isBeside = false }) {
  const { name, shown = false } = step
  // What runs beside others is shown when it has ended.
  const isLive = shown && !isBeside
  if (isLive) print(`-- ${name}`)
  const started = performance.now()
  const { code, output } = await runStep({ ...step, shown: isLive }, root)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (output && (code !== 0 || shown)) print(output.trimEnd())
  // The last word belongs to a shown step that comes last.
  if (!(isLive && isLast)) print(verdict(name, code, seconds))
  return code
}

/**
 * @param {string} name
 * @param {number} code
 * @param {string} seconds
 */
function verdict(name, code, seconds) {
  if (code === 0) return `ok ${name} (${seconds} s)`
  return `FAILED ${name} (${seconds} s, exit code ${code})`
}

/**
 * @param {import('./jobs.mjs').Step} step
 * @param {string} root
 * @returns {Promise<{ code: number, output: string }>}
 */
function runStep({ run, shown, env }, root) {
  const out = shown ? 'inherit' : 'pipe'
  // They, and what they start, load the same code again and again.
  const NODE_COMPILE_CACHE = join(root, '.cache', 'compiled')
  const child = spawn(process.execPath, run, {
    cwd: root,
    env: { NODE_COMPILE_CACHE, ...process.env, ...env },
    stdio: [shown ? 'inherit' : 'ignore', out, out],
  })
  /** @type {Buffer[]} */
  const chunks = []
  child.stdout?.on('data', (chunk) => chunks.push(chunk))
  child.stderr?.on('data', (chunk) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() })
    })
  })
}

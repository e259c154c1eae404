import { spawn } from 'node:child_process'

/**
 * Runs the steps one after another and gives 0, or the exit code of the first
 * that fails; those behind it do not run.
 * @param {(import('./jobs.mjs').Step & { name: string })[]} steps
 * @param {{ root: string, print?: (text: string) => void }} options
 */
export async function runSteps(steps, { root, print = console.log }) {
  for (const step of steps) {
    if (step.shown) print(`-- ${step.name}`)
    const started = performance.now()
    const { code, output } = await runStep(step, root)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    // The last word belongs to a shown step that comes last.
    const isClosing = step.shown && step === steps.at(-1)
    if (output && code !== 0) print(output.trimEnd())
    if (!isClosing) print(verdict(step.name, code, seconds))
    if (code !== 0) return code
  }
  return 0
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
  const child = spawn(process.execPath, run, {
    cwd: root,
    env: { ...process.env, ...env },
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

import { spawnSync } from 'node:child_process'
import { median } from '../summary.ts'

/** How long a new process takes to import a package, over doing nothing. */
export function coldImportMs(name: string, times: number): number {
  const differences = Array.from({ length: times }, () => {
    const bare = runMs('')
    return runMs(`await import(${JSON.stringify(name)})`) - bare
  })
  return median(differences)
}

function runMs(script: string): number {
  const start = performance.now()
  const { status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { cwd: import.meta.dirname, stdio: 'inherit' },
  )
  if (status !== 0) throw new Error(`A process ended with ${status}.`)
  return performance.now() - start
}

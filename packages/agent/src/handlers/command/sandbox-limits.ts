import type { SandboxDefinition } from '../definition.ts'

const mebibyte = 1_048_576

/** What a hook may take of the machine where its definition does not say. */
export const usualLimits = {
  maxProcesses: 256,
  maxMemoryMb: 2_048,
  maxDiskMb: 1_024,
} as const

/**
 * The same command with the limits that the system keeps for each process by
 * itself. They are set inside of the sandbox, where its processes are counted
 * apart from all others; but to root no number of processes is too many.
 */
export function limitedArgv(
  argv: readonly string[],
  { maxProcesses, maxMemoryMb, maxDiskMb }: SandboxDefinition,
): readonly string[] {
  return [
    ...['prlimit', '--core=0:0'],
    ...limit('nproc', maxProcesses),
    // Not the address space: some reserve much more of that than they use.
    ...limit('data', maxMemoryMb, mebibyte),
    ...limit('fsize', maxDiskMb, mebibyte),
    '--',
    ...argv,
  ]
}

function limit(name: string, value: number | undefined, unit = 1): string[] {
  if (value === undefined) return []
  return [`--${name}=${value * unit}:${value * unit}`]
}

/** A file system in memory, no larger than it may be. */
export function memoryFolder(
  folder: string,
  { maxDiskMb }: SandboxDefinition,
): readonly string[] {
  const size =
    maxDiskMb === undefined ? [] : ['--size', String(maxDiskMb * mebibyte)]
  return [...size, '--tmpfs', folder]
}

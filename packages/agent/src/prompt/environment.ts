/** The machine that tools work on. */
export interface Machine {
  readonly platform: string
  readonly release: string
  readonly arch: string
  readonly shell: string | undefined
}

/** What an agent is told of the machine. It stays the same from turn to turn. */
export function renderEnvironment(machine: Machine): string {
  const { platform, release, arch, shell } = machine
  const lines = [
    `platform: ${platform} ${arch}`,
    `system: ${release}`,
    ...(shell === undefined ? [] : [`shell: ${shell}`]),
  ]
  return `<environment>\n${lines.join('\n')}\n</environment>`
}

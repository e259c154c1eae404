import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { makePlace, runDaemon } from './place.ts'
import { median } from './turns.ts'

export interface StartFigures {
  /** Milliseconds at the median, of whole processes. */
  readonly bare: number
  readonly version: number
  readonly bridge: number
}

const rounds = 25
const cli = new URL(
  '../../../packages/daemon/dist/cli/main.js',
  import.meta.url,
).pathname

const toldByClaude = JSON.stringify({
  session_id: 'bench',
  transcript_path: '',
  cwd: '/',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
})

/** How long commands take that people wait for, beside a bare node. */
export async function measureStarts(): Promise<StartFigures> {
  const place = makePlace()
  const daemon = await runDaemon(place)
  const at = ['--home', place.home, '--root', place.root]
  const bridge = [cli, 'bridge', 'claude-code', ...at]
  try {
    const bare: number[] = []
    const version: number[] = []
    const bridged: number[] = []
    // The first of each finds files that nobody has read for a while.
    for (let round = -2; round < rounds; round++) {
      const took = [
        await time(['-e', '0']),
        await time([cli, '--version']),
        await time(bridge, toldByClaude),
      ] as const
      if (round < 0) continue
      bare.push(took[0])
      version.push(took[1])
      bridged.push(took[2])
    }
    return {
      bare: median(bare),
      version: median(version),
      bridge: median(bridged),
    }
  } finally {
    await daemon.close()
    place.remove()
  }
}

async function time(args: readonly string[], input = ''): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.end(input)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}.`)
  return performance.now() - start
}

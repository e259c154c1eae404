import { spawn } from 'node:child_process'

/** The same program with nothing around it: its input, its output, its end. */
export function bareSpawn(
  argv: readonly string[],
  input: string,
): Promise<string> {
  const [program = '', ...rest] = argv
  return new Promise((resolve, reject) => {
    // Without it, bash takes the socket on its input for a remote shell, and
    // reads the user's start-up files.
    const env = { ...process.env, SHLVL: '1' }
    const child = spawn(program, rest, { env, stdio: 'pipe' })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.resume()
    child.on('error', reject)
    child.on('close', () => resolve(output))
    child.stdin.end(input)
  })
}

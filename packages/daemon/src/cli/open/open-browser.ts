import { spawn } from 'node:child_process'

interface Desktop {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform?: NodeJS.Platform
}

/** The program that shows an address; undefined where there is no desktop. */
export function browserCommand({
  env,
  platform = process.platform,
}: Desktop): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasDesktop = Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  return hasDesktop ? ['xdg-open'] : undefined
}

/** Whether something took it; what came of it then is not known. */
export function openBrowser(link: string, desktop: Desktop): Promise<boolean> {
  const command = browserCommand(desktop)
  if (command === undefined) return Promise.resolve(false)
  const [program, ...args] = command
  return new Promise((resolve) => {
    const child = spawn(program, [...args, link], {
      stdio: 'ignore',
      detached: true,
    })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

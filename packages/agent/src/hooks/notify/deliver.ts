import { platform } from 'node:os'
import {
  buildEnv,
  createHandlers,
  type Handlers,
  signatureHeaders,
  signBody,
} from '../../handlers.ts'

/** Something that people are told outside of the conversation. */
export interface Notification {
  /** Whoever gets it twice knows by this that it is the same. */
  readonly id: string
  readonly kind: 'approval' | 'turn-end' | 'error'
  readonly title: string
  readonly text: string
  readonly agent: string
  readonly sessionId?: string
  readonly turnId?: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface WebhookOptions {
  /** https, at a public address. */
  readonly url: string
  /** The variable with the key that requests are signed with. */
  readonly secretEnv?: string
  /** Addresses of private networks may be asked, too; default: false. */
  readonly allowPrivate?: boolean
}

export interface Delivery {
  readonly signal: AbortSignal
  readonly diagnose: (code: string, message: string) => void
}

const timeoutMs = 10_000

/** Posts it as JSON, by the rules that handlers of hooks have for requests. */
export async function deliverToWebhook(
  told: Notification,
  { url, secretEnv, allowPrivate = false }: WebhookOptions,
  { signal, diagnose }: Delivery,
): Promise<void> {
  const body = JSON.stringify({ protocol: 'hookline-notify/1', ...told })
  const run = told.id
  const timestamp = String(Math.floor(told.at / 1_000))
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    [signatureHeaders.run]: run,
    [signatureHeaders.timestamp]: timestamp,
  }
  if (secretEnv !== undefined) {
    const secret = process.env[secretEnv]
    if (!secret) throw new Error(`The variable "${secretEnv}" is not set.`)
    const signature = signBody({ secret, run, timestamp, body })
    headers[signatureHeaders.signature] = signature
  }
  await withHandlers(async ({ sender }) => {
    const request = { url, headers, body, timeoutMs, signal, allowPrivate }
    const { status } = await sender.send({ ...request, diagnose })
    if (status >= 200 && status < 300) return
    throw new Error(`The webhook answered with status ${status}.`)
  })
}

/** Shows it on the desktop of whoever runs this process. */
export async function deliverToDesktop(
  told: Notification,
  { signal }: Delivery,
): Promise<void> {
  const argv = desktopArgv(platform(), told)
  const { env } = buildEnv(process.env, {
    names: ['DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'],
  })
  await withHandlers(async ({ runner }) => {
    const spec = { argv, env, cwd: process.cwd(), stdin: '', timeoutMs, signal }
    const { exitCode } = await runner.run(spec)
    if (exitCode === 0) return
    throw new Error(`"${argv[0]}" ended with ${exitCode ?? 'a signal'}.`)
  })
}

// Its arguments come to the script as a list, and are never read as script.
const appleScript =
  'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run'

/** The program that shows it, with all words as arguments of their own. */
export function desktopArgv(
  system: string,
  { title, text }: Pick<Notification, 'title' | 'text'>,
): readonly string[] {
  if (system === 'darwin') {
    return ['osascript', '-e', appleScript, '--', title, text]
  }
  if (system === 'linux') {
    // The body may be read as markup.
    return ['notify-send', '--app-name=hookline', '--', title, escaped(text)]
  }
  throw new Error(`There is no way to show notifications on ${system}.`)
}

function escaped(text: string): string {
  return text.replace(/[<>&]/g, (char) => `&#${char.charCodeAt(0)};`)
}

/** It is rarely needed, so nothing of it is kept in between. */
async function withHandlers(
  deliver: (handlers: Handlers) => Promise<void>,
): Promise<void> {
  const handlers = createHandlers()
  try {
    await deliver(handlers)
  } finally {
    await handlers.close()
  }
}

import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { inspectorLink } from '../open/inspector-link.ts'
import { givenUrl } from '../open/note-inspector.ts'

export const command: Command = {
  about:
    'Prints an address that lets a browser in once, within a minute, and opens it where there is a desktop. No token is in it.',
  arguments: [
    {
      name: '[path]',
      about: 'What to show, such as /approvals or /sessions/<id>.',
    },
  ],
  options: [{ flags: '--print', about: 'Prints the address, and no more.' }],
  examples: [
    { command: 'hookline open', about: 'The inspector.' },
    { command: 'hookline open /approvals', about: 'What waits for a yes.' },
  ],
  async run(context) {
    const { args, options, output, env, connect } = context
    const path = args[0] ?? '/'
    if (!/^\/(?!\/)/.test(path)) {
      const message = `"${path}" is no address of the inspector.`
      const hint = 'It begins with a slash, such as /sessions.'
      throw new CliError('usage', message, { hint })
    }
    const client = await connect()
    const { code, expiresAt, url } = await client.createLogin()
    const link = inspectorLink(givenUrl(context) ?? shown(url), code, path)
    if (output.isJson) {
      output.json({ link, expiresAt })
      return undefined
    }
    output.line(link)
    if (options.flag('print')) return undefined
    const { openBrowser } = await import('../open/open-browser.ts')
    const isOpen = await openBrowser(link, { env })
    output.note(
      isOpen
        ? 'Your browser shows it.'
        : 'Open it in a browser on this machine within a minute.',
    )
    return undefined
  },
}

function shown(url: string | undefined): string {
  if (url !== undefined) return url
  throw new CliError('failed', 'This daemon shows no pages.', {
    hint: 'It listens on no port, or was built without the inspector; start it with "hookline up", without --no-inspector.',
  })
}

import type { Client } from '../../protocol/client.ts'
import type { CommandContext } from '../command-context.ts'

/** How whoever asks reaches the daemon is how their browser does. */
export function givenUrl({
  options,
  env,
}: Pick<CommandContext, 'options' | 'env'>): string | undefined {
  return options.text('url') ?? (env['HOOKLINE_URL'] || undefined)
}

/** Says where a browser shows the same, if the daemon has pages. */
export async function noteInspector(
  context: Pick<CommandContext, 'options' | 'env' | 'output'>,
  client: Client,
  path: string,
): Promise<void> {
  const { inspector } = await client.info()
  if (inspector === undefined) return
  const { href } = new URL(path, `${givenUrl(context) ?? inspector}/`)
  context.output.note(`In a browser: ${href}`)
}

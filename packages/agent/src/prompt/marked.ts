import type { TextBlock } from 'hookline/lifecycle'

/**
 * Text for the model that is neither the user's nor the agent's own: marked as
 * what it is, and unable to close its mark and speak as someone else.
 */
export function marked(
  tag: 'context' | 'feedback' | 'summary',
  attributes: { readonly [name: string]: string },
  content: string,
): TextBlock {
  const named = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${quoted(value)}"`,
  )
  const closing = new RegExp(`<(?=\\s*/?\\s*${tag}\\b)`, 'gi')
  const contained = content.replace(closing, '&lt;')
  const text = `<${tag}${named.join('')}>\n${contained}\n</${tag}>`
  return Object.freeze({ type: 'text', text })
}

function quoted(value: string): string {
  return value.replace(/[&"<>\r\n]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

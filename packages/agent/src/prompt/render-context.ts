import type { MergedEntry, TextBlock } from 'hookline/lifecycle'

/** Context as the model is shown it: marked as a hook's, not the user's words. */
export function renderContext(entry: MergedEntry): TextBlock {
  const { domain, id, hook, content } = entry
  const attributes = [
    `domain="${attribute(domain)}"`,
    `id="${attribute(id)}"`,
    `from="${attribute(hook)}"`,
  ].join(' ')
  const text = `<context ${attributes}>\n${contain(content)}\n</context>`
  return Object.freeze({ type: 'text', text })
}

/** Content must not be able to close its own mark and speak as someone else. */
function contain(content: string): string {
  return content.replace(/<(?=\s*\/?\s*context\b)/gi, '&lt;')
}

function attribute(text: string): string {
  return text.replace(/[&"<>\r\n]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

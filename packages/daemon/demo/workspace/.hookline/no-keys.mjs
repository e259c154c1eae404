// Keeps keys from the model: whatever a tool has read, it sees without them.
import { readFileSync } from 'node:fs'

const { input } = JSON.parse(readFileSync(0, 'utf8'))
const hide = (text) => text.replace(/(key\s*=\s*)\S+/g, '$1[hidden]')
const content = input.result?.content ?? []
const shown = content.map((block) =>
  block.type === 'text' ? { ...block, text: hide(block.text) } : block,
)

if (JSON.stringify(shown) !== JSON.stringify(content)) {
  const value = { ...input.result, content: shown }
  process.stdout.write(JSON.stringify({ type: 'transform', value }))
}

import {
  anyOf,
  anything,
  flag,
  is,
  list,
  object,
  record,
  text,
} from './typed-schema.ts'

const source = anyOf(
  object({ type: is('base64'), data: text }),
  object({ type: is('url'), url: text }),
)

const block = { providerData: anything }

const textBlock = object({ type: is('text'), text }, block)

const image = object({ type: is('image'), mediaType: text, source }, block)

const file = object(
  { type: is('file'), mediaType: text, source },
  { ...block, name: text },
)

const reasoning = object({ type: is('reasoning'), text }, block)

const toolCallBlock = object(
  { type: is('tool_call'), id: text, tool: text, args: record },
  { ...block, providerExecuted: flag },
)

const mediaBlock = anyOf(textBlock, image, file)
export const media = list(mediaBlock)

const toolResultBlock = object(
  {
    type: is('tool_result'),
    callId: text,
    tool: text,
    content: media,
    isError: flag,
  },
  block,
)

export const reply = list(anyOf(textBlock, image, file, reasoning))
export const modelContent = list(
  anyOf(textBlock, image, file, reasoning, toolCallBlock),
)

export const message = anyOf(
  object({ role: is('system'), content: list(textBlock) }),
  object({ role: is('user'), content: media }),
  object({ role: is('assistant'), content: modelContent }),
  object({ role: is('tool'), content: list(toolResultBlock) }),
)

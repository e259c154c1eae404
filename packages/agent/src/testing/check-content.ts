import type {
  FileBlock,
  ImageBlock,
  MediaSource,
  ReasoningBlock,
  TextBlock,
  ToolCallBlock,
} from 'hookline/lifecycle'
import {
  type Check,
  checkFlag,
  checkList,
  checkObject,
  checkText,
  isRecord,
  type Place,
  within,
  wrong,
} from './check-value.ts'

const maxDepth = 64

/** What JSON can say. */
const checkJson: Check = (value, place) => checkData(value, place, 0)

function checkData(value: unknown, place: Place, depth: number): void {
  if (value === null || typeof value === 'string') return
  if (typeof value === 'boolean' || Number.isFinite(value)) return
  if (depth === maxDepth)
    throw wrong(place, `is deeper than ${maxDepth} levels`)
  if (!Array.isArray(value) && !isRecord(value)) {
    throw wrong(place, 'is not JSON')
  }
  for (const [key, part] of Object.entries<unknown>(value)) {
    const there = within(place, key)
    if (key === '__proto__') throw wrong(there, 'is a key that is not allowed')
    checkData(part, there, depth + 1)
  }
}

export const checkArgs: Check = (value, place) => {
  if (!isRecord(value)) throw wrong(place, 'is not an object')
  checkJson(value, place)
}

/** The kinds of a union, and how each is checked. */
function checkByType(checks: Readonly<Record<string, Check>>): Check {
  const kinds = new Map(Object.entries(checks))
  return (value, place) => {
    if (!isRecord(value)) throw wrong(place, 'is not an object')
    const check = kinds.get(String(value['type']))
    if (check) return check(value, place)
    const known = [...kinds.keys()].join(', ')
    throw wrong(within(place, 'type'), `is none of ${known}`)
  }
}

const checkSource = checkByType({
  base64: checkObject<Extract<MediaSource, { type: 'base64' }>>(
    { type: checkText, data: checkText },
    ['data'],
  ),
  url: checkObject<Extract<MediaSource, { type: 'url' }>>(
    { type: checkText, url: checkText },
    ['url'],
  ),
})

const media = {
  type: checkText,
  mediaType: checkText,
  source: checkSource,
  providerData: checkJson,
}

/** Exact content: blocks as a model gives them. */
export const checkContent = checkList(
  checkByType({
    text: checkObject<TextBlock>(
      { type: checkText, text: checkText, providerData: checkJson },
      ['text'],
    ),
    reasoning: checkObject<ReasoningBlock>(
      { type: checkText, text: checkText, providerData: checkJson },
      ['text'],
    ),
    image: checkObject<ImageBlock>(media, ['mediaType', 'source']),
    file: checkObject<FileBlock>({ ...media, name: checkText }, [
      'mediaType',
      'source',
    ]),
    tool_call: checkObject<ToolCallBlock>(
      {
        type: checkText,
        id: checkText,
        tool: checkText,
        args: checkArgs,
        providerExecuted: checkFlag,
        providerData: checkJson,
      },
      ['id', 'tool', 'args'],
    ),
  }),
)

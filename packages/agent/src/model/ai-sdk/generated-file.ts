import type { FileBlock, ImageBlock } from 'hookline/lifecycle'
import { dataOf } from './provider-data.ts'
import type { GeneratedFile } from './stream-part.ts'

/** A file of a response as a block of it. */
export function fileBlock(part: GeneratedFile): ImageBlock | FileBlock {
  const { mediaType, data, providerMetadata } = part
  const type = mediaType.startsWith('image/') ? 'image' : 'file'
  const rest = { mediaType, ...dataOf(providerMetadata) }
  if (typeof data === 'object' && 'url' in data) {
    return { type, source: { type: 'url', url: data.url.href }, ...rest }
  }
  const bytes = typeof data === 'object' && 'data' in data ? data.data : data
  return { type, source: { type: 'base64', data: asBase64(bytes) }, ...rest }
}

function asBase64(bytes: string | Uint8Array): string {
  return typeof bytes === 'string'
    ? bytes
    : Buffer.from(bytes).toString('base64')
}

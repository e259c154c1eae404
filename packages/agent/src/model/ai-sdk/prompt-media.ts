import type { FileBlock, ImageBlock, MediaSource } from 'hookline/lifecycle'
import { ModelFailure } from '../../ports/model-failure.ts'
import type { SpecificationVersion } from './model-shape.ts'
import { optionsOf, type ProviderMetadata } from './provider-data.ts'

export interface FilePart {
  readonly type: 'file'
  readonly mediaType: string
  readonly filename?: string
  readonly data: FileData
  readonly providerOptions?: ProviderMetadata
}

/** Bare in v3, tagged in v4. */
type FileData =
  | string
  | URL
  | { readonly type: 'data'; readonly data: string }
  | { readonly type: 'url'; readonly url: URL }

/** An address is handed on as it is: nothing is downloaded here. */
export function filePart(
  block: ImageBlock | FileBlock,
  version: SpecificationVersion,
): FilePart {
  const { source, mediaType } = block
  const data = version === 'v3' ? bareData(source) : taggedData(source)
  return {
    type: 'file',
    mediaType,
    data,
    ...nameOf(block),
    ...optionsOf(block),
  }
}

function bareData(source: MediaSource): FileData {
  return source.type === 'url' ? addressOf(source.url) : source.data
}

function taggedData(source: MediaSource): FileData {
  return source.type === 'url'
    ? { type: 'url', url: addressOf(source.url) }
    : { type: 'data', data: source.data }
}

/** A medium inside a tool result; v3 has four kinds of parts for it. */
export function resultMedia(
  block: ImageBlock | FileBlock,
  version: SpecificationVersion,
): object {
  if (version === 'v4') return filePart(block, version)
  const { source, mediaType } = block
  const options = optionsOf(block)
  if (source.type === 'url') {
    return { type: `${block.type}-url`, url: source.url, ...options }
  }
  const { data } = source
  return {
    type: `${block.type}-data`,
    data,
    mediaType,
    ...nameOf(block),
    ...options,
  }
}

function nameOf(block: ImageBlock | FileBlock): { readonly filename?: string } {
  if (block.type === 'image' || block.name === undefined) return {}
  return { filename: block.name }
}

function addressOf(url: string): URL {
  const address = URL.parse(url)
  if (address !== null) return address
  throw new ModelFailure({
    code: 'invalid_request',
    message:
      'An image or a file of the conversation has an address that is no URL.',
    isRetryable: false,
  })
}

import type { JsonObject, JsonValue } from 'hookline/lifecycle'

/** What a provider says of a part, under its name; it goes back unread. */
export interface ProviderMetadata {
  readonly [provider: string]: JsonObject
}

/** The result of a call that the provider ran, kept beside its metadata. */
export interface ProviderResult {
  readonly value: JsonValue
  readonly isError: boolean
}

// No provider can have this name, for it is not one that a package could have.
const RESULT = '$result'

/** A block's data with what a later part of the same block adds. */
export function mergeMetadata(
  data: ProviderMetadata | undefined,
  added: ProviderMetadata | undefined,
): ProviderMetadata | undefined {
  if (data === undefined || added === undefined) return data ?? added
  const merged: Record<string, JsonObject> = { ...data }
  for (const [provider, values] of Object.entries(added)) {
    merged[provider] = { ...merged[provider], ...values }
  }
  return merged
}

/** Metadata as data of a block. Packages leave `undefined` in it: no JSON. */
export function dataOf(metadata: ProviderMetadata | undefined): {
  readonly providerData?: JsonValue
} {
  if (metadata === undefined) return {}
  return { providerData: JSON.parse(JSON.stringify(metadata)) }
}

export function withResult(
  data: JsonValue | undefined,
  result: ProviderResult,
): JsonValue {
  const kept = JSON.parse(JSON.stringify(result))
  return isObject(data) ? { ...data, [RESULT]: kept } : { [RESULT]: kept }
}

export function resultOf(data: JsonValue | undefined): ProviderResult | null {
  const kept = isObject(data) ? data[RESULT] : undefined
  if (!isObject(kept) || kept['value'] === undefined) return null
  return { value: kept['value'], isError: kept['isError'] === true }
}

/** A block's data as options of a prompt part. What is no such data is left out. */
export function optionsOf(block: { readonly providerData?: JsonValue }): {
  readonly providerOptions?: ProviderMetadata
} {
  const data = block.providerData
  if (!isObject(data)) return {}
  const options: Record<string, JsonObject> = {}
  for (const [provider, values] of Object.entries(data)) {
    if (provider !== RESULT && isObject(values)) options[provider] = values
  }
  return Object.keys(options).length === 0 ? {} : { providerOptions: options }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import { join } from 'node:path'
import type { WrittenStore } from '../sections/store-section.ts'
import type { KeySource, StoreSettings } from '../settings.ts'
import { firstOfEach, type WrittenBy } from './written.ts'

interface StorePlaces {
  readonly home: string
  readonly pathIn: (file: string, path: string) => string
}

/** Where everything is kept; without a word, in a file of the home. */
export function composeStore(
  written: readonly WrittenBy<WrittenStore>[],
  { home, pathIn }: StorePlaces,
): StoreSettings {
  const values = written.map(({ value, file }) => withPaths(value, file))
  // Whoever says where it is says all of that.
  const place = values.find(({ file, urlEnv }) => file ?? urlEnv) ?? {
    file: join(home, 'hookline.db'),
  }
  const all = firstOfEach(values)
  const { schema, key, readsPlain } = all
  return {
    ...(place.file !== undefined && { file: place.file }),
    ...(place.urlEnv !== undefined && { urlEnv: place.urlEnv }),
    ...(schema !== undefined && { schema }),
    content: firstOfEach(values.map(({ content = {} }) => content)),
    retentionDays: firstOfEach(
      values.map(({ retentionDays = {} }) => retentionDays),
    ),
    ...(key !== undefined && { key: key as KeySource }), // checked: it has one
    payloadKeys: (all.payloadKeys ?? []) as StoreSettings['payloadKeys'],
    ...(readsPlain !== undefined && { readsPlain }),
    isAuditRequired: values.some((one) => one.isAuditRequired === true),
  }

  function withPaths(value: WrittenStore, file: string): WrittenStore {
    const absolute = (path: string) => pathIn(file, path)
    const keyOf = <T extends { readonly file?: string }>(one: T): T =>
      one.file === undefined ? one : { ...one, file: absolute(one.file) }
    return {
      ...value,
      ...(value.file !== undefined && { file: absolute(value.file) }),
      ...(value.key && { key: keyOf(value.key) }),
      ...(value.payloadKeys && { payloadKeys: value.payloadKeys.map(keyOf) }),
    }
  }
}

import type { IsSecretName } from '../../scan/secrets/secret-names.ts'

export interface DataRules {
  readonly clean: (text: string) => string
  readonly markOf: (secret: string) => string
  readonly isSecretName: IsSecretName
}

// Deeper than anything that a point lets in.
const maxDepth = 128

/** A copy in which no value of a secret's name, and no secret, is left. */
export function redactData(root: unknown, rules: DataRules): unknown {
  const { clean, markOf, isSecretName } = rules

  function copy(value: unknown, isSecret: boolean, depth: number): unknown {
    switch (typeof value) {
      case 'string':
        return isSecret && value !== '' ? markOf(value) : clean(value)
      case 'number':
        return isSecret ? markOf(`${value}`) : value
      case 'bigint':
        return copy(`${value}`, isSecret, depth)
      case 'boolean':
        return value
      case 'object':
        if (value === null) return null
        if (depth > maxDepth) return '[too deep]'
        return Array.isArray(value)
          ? copyList(value, isSecret, depth + 1)
          : copyRecord(value, isSecret, depth + 1)
      case 'undefined':
      case 'function':
      case 'symbol':
        return undefined
    }
  }

  /** As in `['--password', '…']`, and in lists of names and values. */
  function copyList(
    list: readonly unknown[],
    isSecret: boolean,
    depth: number,
  ) {
    return list.map((item, at) => {
      const before: unknown = list[at - 1]
      const isNamed = typeof before === 'string' && isSecretName(before)
      return copy(item, isSecret || isNamed, depth)
    })
  }

  function copyRecord(record: object, isSecret: boolean, depth: number) {
    const entries = Object.entries(record)
    const hasName = entries.some(
      ([key, value]) =>
        isNameKey.test(key) && typeof value === 'string' && isSecretName(value),
    )
    const names = new Set<string>()
    // Not by assignment: a key can be `__proto__`.
    return Object.fromEntries(
      entries.map(([key, value]) => {
        const isNamed = isSecretName(key) || (hasName && isValueKey.test(key))
        const name = freeName(clean(key), names)
        return [name, copy(value, isSecret || isNamed, depth)]
      }),
    )
  }

  return copy(root, false, 0)
}

// As in `{ name: 'Cookie', value: '…' }`.
const isNameKey = /^(?:name|key|header|field)$/i
const isValueKey = /^(?:value|values|content|data|text)$/i

/** Two keys can be the same when what was secret in them is gone. */
function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let count = 2; taken.has(free); count++) free = `${name} (${count})`
  taken.add(free)
  return free
}

import type { PreparedOperation } from './prepared-operation.ts'

export interface Match {
  readonly operation: PreparedOperation
  /** The parts of the path that are inputs, in order. */
  readonly values: readonly string[]
}

export interface Found {
  /** Absent: there is nothing of that method. */
  readonly match: Match | undefined
  /** The methods that there are at that path; none: there is no such path. */
  readonly methods: readonly string[]
}

interface Branch {
  readonly literals: Map<string, Branch>
  any: Branch | undefined
  readonly operations: Map<string, PreparedOperation>
}

const newBranch = (): Branch => ({
  literals: new Map(),
  any: undefined,
  operations: new Map(),
})

/** Finds the operation of a path. What a path spells out goes before inputs. */
export class Router {
  readonly #root = newBranch()

  constructor(operations: readonly PreparedOperation[]) {
    for (const operation of operations) this.#add(operation)
  }

  find(method: string, segments: readonly string[]): Found {
    const reached: { branch: Branch; values: readonly string[] }[] = []
    const walk = (branch: Branch, at: number, values: readonly string[]) => {
      const segment = segments[at]
      if (segment === undefined) {
        if (branch.operations.size > 0) reached.push({ branch, values })
        return
      }
      const literal = branch.literals.get(segment)
      if (literal !== undefined) walk(literal, at + 1, values)
      if (branch.any !== undefined && segment !== '') {
        walk(branch.any, at + 1, [...values, segment])
      }
    }
    walk(this.#root, 0, [])
    const methods = reached.flatMap(({ branch }) => [
      ...branch.operations.keys(),
    ])
    for (const { branch, values } of reached) {
      const operation = branch.operations.get(method)
      if (operation !== undefined) {
        return { match: { operation, values }, methods }
      }
    }
    return { match: undefined, methods: [...new Set(methods)] }
  }

  #add(operation: PreparedOperation): void {
    let branch = this.#root
    for (const part of operation.route.path.slice(1).split('/')) {
      if (part.startsWith(':')) {
        branch.any ??= newBranch()
        branch = branch.any
      } else {
        const next = branch.literals.get(part) ?? newBranch()
        branch.literals.set(part, next)
        branch = next
      }
    }
    branch.operations.set(operation.route.method, operation)
  }
}

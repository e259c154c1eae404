import { type CommandRule, compileRule } from './command-rule.ts'

/** Rules in their order, laid out so that few have to be asked about a command. */
export interface RuleBook {
  readonly all: readonly CommandRule[]
  /** Those that are about a program, with those that are about any. */
  readonly byProgram: ReadonlyMap<string, readonly CommandRule[]>
  /** Those that are about no program alone. */
  readonly ofAny: readonly CommandRule[]
}

export interface RuleBooks extends RuleBook {
  /** Those of them that say more than the name of a program. */
  readonly telling: RuleBook
}

/** Rules as somebody wrote them down, such as `git push --force`. */
export function compileRules(sources: readonly string[]): RuleBooks {
  const all = sources.map(compileRule)
  return { ...bookOf(all), telling: bookOf(all.filter((one) => one.isTelling)) }
}

function bookOf(all: readonly CommandRule[]): RuleBook {
  const programs = new Set(all.flatMap(({ program }) => program ?? []))
  const rulesFor = (name: string) =>
    all.filter(({ program = name }) => program === name)
  return {
    all,
    byProgram: new Map(Array.from(programs, (name) => [name, rulesFor(name)])),
    ofAny: all.filter(({ program }) => program === undefined),
  }
}

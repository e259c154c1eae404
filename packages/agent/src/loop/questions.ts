import type { Question } from 'hookline'

/** Both lists, but nobody is asked the same twice. */
export function unite(
  first: readonly Question[],
  second: readonly Question[],
): readonly Question[] {
  const isNew = ({ by, question }: Question) =>
    !first.some((one) => one.by === by && one.question === question)
  return [...first, ...second.filter(isNew)]
}

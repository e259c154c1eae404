import { compileCondition } from 'hookline'
import type { Skill } from './skill.ts'

const maxPath = 4_096
const maxPaths = 100
/** Of a long text, so much at its beginning and at its end. */
const maxEnd = 32_768

/** What skills may be of use for what was said or touched. */
export function findTriggered(
  skills: readonly Skill[],
  {
    words,
    paths,
  }: { readonly words: string; readonly paths: readonly string[] },
): readonly Skill[] {
  const said = ` ${normalize(endsOf(words))} `
  return skills.filter(({ triggers: { keywords = [], paths: globs } = {} }) => {
    const isSaid = keywords
      .map(normalize)
      .some((one) => one !== '' && said.includes(` ${one} `))
    if (isSaid || globs === undefined) return isSaid
    const isWanted = compileCondition(globs)
    return paths.some(
      (path) => isWanted(path) || isWanted(path.replace(/^\.?\/+/, '')),
    )
  })
}

/** Words that look like files. */
export function pathsIn(words: string): readonly string[] {
  const paths: string[] = []
  for (const [word] of endsOf(words).matchAll(/[^\s"'`<>()[\]{},;]+/g)) {
    // What is longer is no path; what ends a sentence is no part of one.
    const path = word.length > maxPath ? '' : word.replace(/[.:!?]+$/, '')
    if (/[./]./.test(path)) paths.push(path)
    if (paths.length === maxPaths) break
  }
  return paths
}

/** What somebody says is before or after what they have pasted. */
function endsOf(words: string): string {
  if (words.length <= 2 * maxEnd) return words
  return `${words.slice(0, maxEnd)}\n${words.slice(-maxEnd)}`
}

function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

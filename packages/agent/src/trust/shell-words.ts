/** The words of a script, and what of it only running it would show. */
export interface ShellWords {
  readonly words: readonly string[]
  /** Those that say where what follows runs. */
  readonly folders: readonly string[]
  readonly unseen: readonly string[]
}

const separators = ' \t\r\n;|&()<>`'
/** What comes before a folder to go to. */
const going = /^(?:cd|pushd|-C|--(?:cwd|chdir|dir|directory|prefix))$/

/**
 * Takes a script apart as far as that can be done without running it: quotes,
 * escapes and variables whose value is known. More words than there are do no
 * harm; each is only looked for as a file.
 */
export function shellWords(
  text: string,
  variables: Readonly<Record<string, string>>,
): ShellWords {
  const unseen = new Set<string>()
  const filled = fillIn(text, variables, unseen)
  const words = new Set<string>()
  const folders = new Set<string>()
  addWords(filled, { words, folders }, 0)
  return { words: [...words], folders: [...folders], unseen: [...unseen] }
}

/** The folders among the arguments of a program. */
export function foldersIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const [option = '', value] = word.split('=', 2)
    if (value !== undefined) return going.test(option) ? [value] : []
    const [, joined] = /^-C(.+)$/.exec(word) ?? []
    if (joined !== undefined) return [joined]
    return going.test(words[index - 1] ?? '') ? [word] : []
  })
}

function fillIn(
  text: string,
  variables: Readonly<Record<string, string>>,
  unseen: Set<string>,
): string {
  const pattern = /\$(?:\{(\w+)(?::?-([^}]*))?\}|(\w+)|\(|\{)|`/g
  return text.replace(pattern, (found, braced, otherwise, plain) => {
    const name: string | undefined = braced ?? plain
    if (name === undefined) {
      unseen.add('What a command inside of it prints is not seen.')
      return found
    }
    if (Object.hasOwn(variables, name)) return variables[name] ?? ''
    unseen.add(`What $${name} stands for is not seen.`)
    return typeof otherwise === 'string' ? otherwise : found
  })
}

interface Found {
  readonly words: Set<string>
  readonly folders: Set<string>
}

function addWords(text: string, found: Found, depth: number): void {
  const all = split(text)
  for (const folder of foldersIn(all)) found.folders.add(folder)
  for (const word of all) {
    found.words.add(word)
    // `--config=file`, `NAME=file`, `a:b`.
    for (const part of word.split(/[=:,]/)) {
      if (part !== '') found.words.add(part)
    }
    // A script in a script, such as that of `bash -c`.
    if (depth < 3 && /[\s'"]/.test(word)) addWords(word, found, depth + 1)
  }
}

function split(text: string): readonly string[] {
  const words: string[] = []
  let word = ''
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
      else if (character === '\\' && quote === '"') word += text.charAt(++at)
      else word += character
    } else if (character === '"' || character === "'") quote = character
    else if (character === '\\') word += text.charAt(++at)
    else if (separators.includes(character)) {
      words.push(word)
      word = ''
    } else word += character
  }
  words.push(word)
  return words.filter((one) => one !== '')
}

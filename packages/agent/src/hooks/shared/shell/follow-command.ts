import { type Expansion, expandToOne, expandWord } from './expand-word.ts'
import { type Input, unknownText } from './outputs.ts'
import type { Redirect } from './reading.ts'
import { loadsCode, runsItsValue } from './risky-variables.ts'
import { runCommand, runText, runTraps } from './run-command.ts'
import { called, type Scene, type Walk } from './scene.ts'
import { childState, copyState, forgetValues, setValue } from './shell-state.ts'
import { runsInSum } from './sums.ts'
import type { RedirectSyntax, SimpleStage } from './syntax.ts'
import { any, knownWord, type Word } from './word.ts'
import { fileText, noteWrites } from './written-files.ts'

/** A command as it is written, with what stands before and after it. */
export function followSimple(
  walk: Walk,
  stage: SimpleStage,
  outer: Scene,
): string {
  const expansion = expansionIn(walk, outer)
  const words = stage.words.flatMap((word) => expandWord(word, expansion))
  const { redirects, input } = followRedirects(walk, stage, outer)
  const scene: Scene = { ...outer, input }
  const before = copyState(scene.state)
  const settings = followAssignments(walk, stage, scene, words.length === 0)
  const isNothing = words.length === 0
  let output = ''
  if (!isNothing || redirects.length > 0) {
    const given = isNothing ? [knownWord(':')] : words
    output = runCommand(walk, { words: given, redirects, settings }, scene)
  }
  noteWrites({ words, redirects, input, output }, scene.state)
  runTraps(walk, scene, before)
  return output
}

/** Sets variables; before a command they are for that one alone. */
function followAssignments(
  walk: Walk,
  { assignments }: SimpleStage,
  scene: Scene,
  isAlone: boolean,
): readonly Word[] {
  const { state } = scene
  const { listener } = walk
  const expansion = expansionIn(walk, scene)
  return assignments.map(({ name, value, words }) => {
    for (const word of words) if (word !== value) expandToOne(word, expansion)
    const text = value === undefined ? any : expandToOne(value, expansion).text
    if (runsItsValue(name)) {
      // It runs at any time, with whatever values there are then.
      const later = childState(state)
      forgetValues(later)
      runText(walk, text, { ...scene, state: later }, name)
    }
    if (loadsCode(name)) listener.onCode(`code by ${name}`)
    if (runsInSum({ text })) listener.onCode('an index that runs code')
    // After a command it is safe to forget it.
    if (isAlone) setValue(state, name, text)
    else state.values.delete(name)
    const setting = knownWord(`${name}=${text}`)
    // It decides what all later commands are.
    if (isAlone && name === 'PATH') {
      const { folders } = state
      const settings = [setting]
      listener.onCommand({ words: [], redirects: [], settings, folders })
    }
    return setting
  })
}

/** What is read and written by redirections, and the input that is left. */
export function followRedirects(
  walk: Walk,
  { redirects: all }: { readonly redirects: readonly RedirectSyntax[] },
  scene: Scene,
): { readonly redirects: readonly Redirect[]; readonly input: Input } {
  const expansion = expansionIn(walk, scene)
  const redirects: Redirect[] = []
  let { input } = scene
  for (const { kind, target, body } of all) {
    if (kind === 'text') {
      input = { type: 'text', text: expandToOne(body ?? [], expansion).text }
    }
    if (kind === 'text' || kind === 'descriptor') continue
    for (const word of expandWord(target, expansion)) {
      redirects.push({ kind, target: word })
      if (kind === 'read') input = inputFrom(word, scene)
    }
  }
  return { redirects, input }
}

function inputFrom({ text }: Word, { state }: Scene): Input {
  if (text.startsWith('/dev/fd/')) return unknownText
  const written = fileText(text, state)
  return written === undefined
    ? { type: 'file' }
    : { type: 'text', text: written }
}

/** How words of a scene are expanded. */
export function expansionIn(walk: Walk, scene: Scene): Expansion {
  return {
    state: scene.state,
    noteCode: walk.listener.onCode,
    outputOf: (body, input = scene.input) => {
      const state = copyState(scene.state)
      const calls = called(scene, '$')
      const output = walk.follow(body, { ...scene, state, input, calls })
      return output.replace(/\n+$/, '')
    },
  }
}

import { Unreadable } from './cursor.ts'
import { expandToOne, expandWord } from './expand-word.ts'
import { expansionIn, followRedirects, followSimple } from './follow-command.ts'
import { noInput } from './outputs.ts'
import { runCommand } from './run-command.ts'
import { called, followLeavable, type Listener, type Scene } from './scene.ts'
import {
  copyState,
  forgetValues,
  isSameState,
  mergeState,
  type ShellState,
  setValue,
} from './shell-state.ts'
import { runsInSum } from './sums.ts'
import type { Link, Script, Stage } from './syntax.ts'
import { any, isKnown, knownWord, type Word } from './word.ts'
import { noteWrites } from './written-files.ts'

const maxCommands = 2_000
const maxWords = 20_000
const maxTurns = 8

/** Goes through all that a script can do, and tells of every command. */
export function followScript(
  script: Script,
  state: ShellState,
  listener: Listener,
): void {
  let commands = 0
  let wordCount = 0
  const walk = { listener, follow, followStage, count }

  function count(words: number): void {
    wordCount += words
    if (++commands > maxCommands || wordCount > maxWords) {
      throw new Unreadable('it has too many commands')
    }
  }

  function follow(given: Script, scene: Scene): string {
    let output = ''
    for (const { links } of given.chains) {
      output = followChain(links, scene)
    }
    return given.chains.length === 1 ? output : any
  }

  /** Each of its commands can be the last one that runs. */
  function followChain(links: readonly Link[], scene: Scene): string {
    const { state } = scene
    const before = links.length > 1 ? copyState(state) : state
    const ends: ShellState[] = []
    let output = ''
    for (const [index, link] of links.entries()) {
      if (link.after === '||') mergeState(state, before)
      if (link.after === '&&' && state.reached) state.folders = state.reached
      output = followLink(link, scene)
      if (index < links.length - 1) ends.push(copyState(state))
    }
    for (const end of ends) mergeState(state, end)
    return output
  }

  function followLink({ stages }: Link, scene: Scene): string {
    const [only] = stages
    if (stages.length === 1 && only) return followStage(only, scene)
    let { input } = scene
    let output = ''
    for (const stage of stages) {
      const state = copyState(scene.state)
      output = followStage(stage, { ...scene, state, input })
      input = { type: 'text', text: output }
    }
    return output
  }

  function followStage(stage: Stage, scene: Scene): string {
    const { state } = scene
    switch (stage.type) {
      case 'simple':
        return followSimple(walk, stage, scene)
      case 'group': {
        const inner = stage.isApart ? copyState(state) : state
        return follow(stage.body, { ...scene, state: inner })
      }
      case 'words':
        for (const word of stage.words) {
          const all = expandWord(word, expansionIn(walk, scene))
          if (all.some(runsInSum)) listener.onCode('an index that runs code')
        }
        return ''
      case 'redirected': {
        const { redirects, input } = followRedirects(walk, stage, scene)
        runCommand(walk, { words: [knownWord(':')], redirects }, scene)
        const output = followStage(stage.body, { ...scene, input })
        noteWrites({ words: [], redirects, input, output }, state)
        return output
      }
      case 'function':
        state.functions.set(stage.name, stage)
        // Whoever calls it later on is not always seen.
        followStage(stage.body, {
          ...scene,
          state: { ...copyState(state), arguments: undefined },
          calls: called(scene, `${stage.name}()`),
          left: [],
        })
        return ''
      case 'branches':
        followBranches(stage, scene)
        return any
      case 'loop':
        followLeavable(scene, (inner) => followLoop(stage, inner))
        return any
      default:
        return stage satisfies never
    }
  }

  function followBranches(
    { words, tests, bodies }: Extract<Stage, { type: 'branches' }>,
    scene: Scene,
  ): void {
    const { state } = scene
    for (const word of words) expandToOne(word, expansionIn(walk, scene))
    for (const [index, test] of tests.entries()) {
      const before = copyState(state)
      follow(test, scene)
      // Only the first test is made in any case.
      if (index > 0) mergeState(state, before)
    }
    const before = copyState(state)
    for (const body of bodies) {
      const branch = copyState(before)
      follow(body, { ...scene, state: branch })
      mergeState(state, branch)
    }
  }

  function followLoop(
    { name, words, test, body }: Extract<Stage, { type: 'loop' }>,
    scene: Scene,
  ): void {
    const { state } = scene
    const expansion = expansionIn(walk, scene)
    const values = words?.flatMap((one) => expandWord(one, expansion))
    const turn = (value: string) => {
      if (name !== undefined) setValue(state, name, value)
      if (test) follow(test, scene)
      follow(body, scene)
    }
    if (values?.every(isKnown) && values.length <= maxTurns) {
      for (const { text } of values) turn(text)
      return
    }
    // What a turn changes holds in the next one: until nothing changes.
    const value = valueFor(values)
    if (name !== undefined) setValue(state, name, value)
    for (let round = 0; round < 4; round++) {
      const before = copyState(state)
      turn(value)
      if (isSameState(before, state)) return
      mergeState(state, before)
      if (round === 2) forgetValues(state)
    }
  }

  follow(script, { state, input: noInput, calls: [], left: [] })
}

/** One value for all that a loop goes through. */
function valueFor(values: readonly Word[] | undefined): string {
  const [only] = values ?? []
  const areNames = values?.every(
    ({ text, isNames }) => isNames && /^[\w.\0][^/]*/.test(text),
  )
  const isHere = areNames && !values?.some(({ text }) => text.includes('..'))
  if (values?.length !== 1 || !only || only.isMany) {
    return isHere ? `./${any}` : any
  }
  return isHere ? `./${only.text}` : only.text
}

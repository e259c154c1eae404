import { changeState } from './builtins.ts'
import { Unreadable } from './cursor.ts'
import { type Expansion, expandToOne, expandWord } from './expand-word.ts'
import { innerCommands } from './inner-commands.ts'
import { type Input, noInput, outputOf, unknownText } from './outputs.ts'
import type { Redirect, ShellCommand } from './reading.ts'
import { loadsCode, runsItsValue } from './risky-variables.ts'
import {
  copyState,
  isSameState,
  mergeState,
  type ShellState,
} from './shell-state.ts'
import type {
  Link,
  RedirectSyntax,
  Script,
  SimpleStage,
  Stage,
} from './syntax.ts'
import { any, isKnown, knownWord, type Word } from './word.ts'

/** Whom a script is followed for. */
export interface Listener {
  readonly parse: (text: string) => Script
  readonly onCommand: (command: ShellCommand) => void
  /** Code is run that nobody knows. */
  readonly onCode: (what: string) => void
}

interface Scene {
  readonly state: ShellState
  readonly input: Input
  /** The command that has this one run. */
  readonly parent?: ShellCommand
  /** The functions, texts and commands that it is within. */
  readonly calls: readonly string[]
}

const maxCommands = 2_000
const maxWords = 20_000
const maxCalls = 16
const maxTurns = 8

/** Goes through all that a script can do, and tells of every command. */
export function followScript(
  script: Script,
  state: ShellState,
  listener: Listener,
): void {
  let commands = 0
  let wordCount = 0

  function follow(given: Script, scene: Scene): string {
    let output = ''
    for (const { links } of given.chains) {
      const before = links.length > 1 ? copyState(scene.state) : undefined
      let first: ShellState | undefined
      for (const link of links) {
        if (link.after === '||' && before) mergeState(scene.state, before)
        output = followLink(link, scene)
        if (before) first ??= copyState(scene.state)
      }
      // The first one surely ran; what the others did is not sure.
      if (first) mergeState(scene.state, first)
    }
    return given.chains.length === 1 ? output : any
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
        return followSimple(stage, scene)
      case 'group': {
        const inner = stage.isApart ? copyState(state) : state
        return follow(stage.body, { ...scene, state: inner })
      }
      case 'words':
        for (const word of stage.words) expandWord(word, expansionIn(scene))
        return ''
      case 'redirected': {
        const { redirects, input } = followRedirects(stage.redirects, scene)
        runCommand([knownWord(':')], redirects, scene)
        return followStage(stage.body, { ...scene, input })
      }
      case 'function':
        state.functions.set(stage.name, stage)
        // Whoever calls it later on is not always seen.
        followStage(stage.body, {
          ...scene,
          state: { ...copyState(state), arguments: undefined },
          calls: called(scene, `${stage.name}()`),
        })
        return ''
      case 'branches': {
        for (const word of stage.words) expandToOne(word, expansionIn(scene))
        for (const test of stage.tests) follow(test, scene)
        const before = copyState(state)
        for (const body of stage.bodies) {
          const branch = copyState(before)
          follow(body, { ...scene, state: branch })
          mergeState(state, branch)
        }
        return any
      }
      case 'loop':
        followLoop(stage, scene)
        return any
      default:
        return stage satisfies never
    }
  }

  function followLoop(
    { name, words, test, body }: Extract<Stage, { type: 'loop' }>,
    scene: Scene,
  ): void {
    const { state } = scene
    const values = words?.flatMap((one) => expandWord(one, expansionIn(scene)))
    const isCounted = values?.every(isKnown) && values.length <= maxTurns
    const turns = isCounted && values ? values : [undefined]
    for (const turn of turns) {
      // What a turn changes holds in the next one: until nothing changes.
      for (let round = 0; round < 3; round++) {
        const before = copyState(state)
        const [only] = values ?? []
        const isOne = values?.length === 1 && only && !only.isMany
        const known = turn?.text ?? (isOne ? only.text : undefined)
        if (name !== undefined) setValue(state, name, known ?? valueFor(values))
        if (test) follow(test, scene)
        follow(body, scene)
        if (isSameState(before, state)) break
        if (!isCounted) mergeState(state, before)
      }
    }
  }

  /** One value for all that a loop goes through. */
  function valueFor(values: readonly Word[] | undefined): string {
    const areNames = values?.every(
      ({ text, isNames }) => isNames && /^[\w.][^/]*/.test(text),
    )
    return areNames && !values?.some(({ text }) => text.includes('..'))
      ? `./${any}`
      : any
  }

  function followSimple(stage: SimpleStage, outer: Scene): string {
    const expansion = expansionIn(outer)
    const words = stage.words.flatMap((word) => expandWord(word, expansion))
    const { redirects, input } = followRedirects(stage.redirects, outer)
    const scene: Scene = { ...outer, input }
    for (const { name, value, words: all } of stage.assignments) {
      for (const word of all) if (word !== value) expandToOne(word, expansion)
      const text =
        value === undefined ? any : expandToOne(value, expansion).text
      if (runsItsValue(name)) runText(text, scene, name)
      if (loadsCode(name)) listener.onCode(`code by ${name}`)
      // Before a command it is for that one alone; it is safe to forget it.
      if (words.length === 0) setValue(scene.state, name, text)
      else scene.state.values.delete(name)
    }
    if (words.length === 0 && redirects.length === 0) return ''
    const isNothing = words.length === 0
    return runCommand(isNothing ? [knownWord(':')] : words, redirects, scene)
  }

  function runCommand(
    words: readonly Word[],
    redirects: readonly Redirect[],
    scene: Scene,
  ): string {
    const { state, parent, input } = scene
    wordCount += words.length + redirects.length
    if (++commands > maxCommands || wordCount > maxWords) {
      throw new Unreadable('it has too many commands')
    }
    const { folder } = state
    const command = { words, redirects, folder, ...(parent && { parent }) }
    listener.onCommand(command)
    const [program, ...rest] = words
    if (program === undefined) return ''
    const inner = { ...scene, parent: command }
    runOwn(program.text, rest, inner)
    for (const one of innerCommands(words, input)) {
      const calls = called(scene, one.type)
      if (one.type === 'code') listener.onCode(one.what)
      else if (one.type === 'script') runText(one.text, { ...inner, calls })
      else runCommand(one.words, [], { ...inner, calls })
    }
    changeState(words, state)
    return outputOf(words, input)
  }

  /** Functions and other names that the script itself has made. */
  function runOwn(name: string, rest: readonly Word[], scene: Scene): void {
    const own = scene.state.functions.get(name)
    const alias = scene.state.aliases.get(name)
    const call = `${name}()`
    if (own === undefined && alias === undefined) return
    if (scene.calls.includes(call)) {
      if (own) listener.onCode(`"${name}", which calls itself`)
      return
    }
    const calls = called(scene, call)
    const { state } = scene
    const before = state.arguments
    state.arguments = rest
    if (own) followStage(own.body, { ...scene, calls })
    if (alias) runText(`${alias} "$@"`, { ...scene, calls })
    state.arguments = before
  }

  function runText(text: string, scene: Scene, what = 'a text'): void {
    const calls = called(scene, 'text')
    if (text.includes(any)) listener.onCode(`${what} that is not known`)
    if (text !== any) follow(listener.parse(text), { ...scene, calls })
  }

  function called({ calls }: Scene, name: string): readonly string[] {
    if (calls.length >= maxCalls) throw new Unreadable('it is nested too deep')
    return [...calls, name]
  }

  function followRedirects(all: readonly RedirectSyntax[], scene: Scene) {
    const expansion = expansionIn(scene)
    const redirects: Redirect[] = []
    let { input } = scene
    for (const { kind, target, body } of all) {
      if (kind === 'text') {
        input = { type: 'text', text: expandToOne(body ?? [], expansion).text }
      }
      if (kind === 'text' || kind === 'descriptor') continue
      for (const word of expandWord(target, expansion)) {
        redirects.push({ kind, target: word })
        const isProcess = word.text.startsWith('/dev/fd/')
        if (kind === 'read') input = isProcess ? unknownText : { type: 'file' }
      }
    }
    return { redirects, input }
  }

  function expansionIn(scene: Scene): Expansion {
    return {
      state: scene.state,
      noteCode: listener.onCode,
      outputOf: (body) => {
        const state = copyState(scene.state)
        const output = follow(body, {
          ...scene,
          state,
          calls: called(scene, '$'),
        })
        return output.replace(/\n+$/, '')
      },
    }
  }

  const setValue = (to: ShellState, name: string, text: string) => {
    if (to.values.size > 200) throw new Unreadable('it has too many variables')
    to.values.set(name, text)
  }

  follow(script, { state, input: noInput, calls: [] })
}

import { type ScriptedModel, scriptedModel } from '@hookline/agent/testing'
import type {
  JsonObject,
  Message,
  TextBlock,
  ToolResultBlock,
} from 'hookline/lifecycle'

/** What somebody says in the story, one turn after the other. */
export interface Scene {
  readonly title: string
  readonly says: string
  /** Begins a session of its own: only memory carries over. */
  readonly isNewSession: boolean
}

export const scenes: readonly Scene[] = [
  {
    title: 'A file is edited, and something is remembered',
    says: 'Remember that our release day is Thursday. Then let the greeting say good evening.',
    isNewSession: true,
  },
  {
    title: 'A command is refused, and a key stays hidden',
    says: 'Clean up: remove the build folder, and check that the settings have a key.',
    isNewSession: false,
  },
  {
    title: 'A memory comes back, and a person is asked',
    says: 'When is our release day? Publish the shop if it is all right.',
    isNewSession: true,
  },
]

interface Act {
  readonly text: string
  readonly calls: readonly {
    readonly tool: string
    readonly args: JsonObject
  }[]
}

/** What the model does in each scene, step by step, and how it sums up. */
interface Part {
  readonly acts: readonly Act[]
  readonly close: (seen: Seen) => string
}

/** What the model has seen of its scene. */
interface Seen {
  /** What came back from each tool, in order. */
  readonly results: readonly Result[]
  /** Everything it was told. */
  readonly all: string
}

interface Result {
  readonly isError: boolean
  readonly text: string
}

const parts: readonly Part[] = [
  {
    acts: [
      {
        text: 'I note that down, and look at the greeting.',
        calls: [
          {
            tool: 'remember',
            args: {
              subject: 'release-day',
              text: 'The release day is Thursday.',
            },
          },
          { tool: 'read', args: { path: 'src/greet.js' } },
        ],
      },
      {
        text: 'Now I change it.',
        calls: [
          {
            tool: 'edit',
            args: {
              path: 'src/greet.js',
              old: 'Good morning',
              new: 'Good evening',
            },
          },
        ],
      },
    ],
    close: ({ results }) => {
      const failed = results.find(({ isError }) => isError)
      return failed
        ? `That did not work: ${failed.text}`
        : 'The greeting says good evening now, and I will remember Thursday.'
    },
  },
  {
    acts: [
      {
        text: 'I remove the folder, and read the settings.',
        calls: [
          { tool: 'shell', args: { command: 'rm -rf build' } },
          { tool: 'read', args: { path: 'settings.ini' } },
        ],
      },
    ],
    close: ({ results: [removal, settings] }) => {
      const folder = removal?.isError
        ? `The build folder is still there. I was told: ${removal.text}`
        : 'The build folder is gone.'
      const key = /key\s*=\s*(\S+)/.exec(settings?.text ?? '')?.[1]
      const found = key
        ? `All that I see of the key is "${key}".`
        : 'I see no key.'
      return `${folder} ${found}`
    },
  },
  {
    acts: [
      {
        text: 'I publish it.',
        calls: [{ tool: 'shell', args: { command: 'sh publish.sh' } }],
      },
    ],
    close: ({ results: [published], all }) => {
      const day = all.includes('Thursday')
        ? 'Your release day is Thursday.'
        : 'Nobody told me when your release day is.'
      return published?.isError
        ? `${day} I did not publish: ${published.text}`
        : `${day} ${published?.text.trim()}`
    },
  },
]

const nothingToSay =
  'I am a scripted model and know one story only. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or HOOKLINE_MODEL, and start again to talk to a real one.'

/** Per million tokens, as prices are. */
export const storyPrice = { input: 3, output: 15 }

/** Plays the story: what it says depends on what its tools come back with. */
export function storyModel(): ScriptedModel {
  return scriptedModel(
    ({ messages }) => {
      const all = JSON.stringify(messages)
      const usage = { inputTokens: Math.ceil(all.length / 4), outputTokens: 40 }
      const { said, acted, results } = lastScene(messages)
      const number = scenes.findIndex(({ says }) => said.includes(says))
      const part = parts[number]
      if (part === undefined) return { text: nothingToSay, usage }
      const act = part.acts[acted]
      if (act !== undefined) return { ...act, usage }
      return { text: part.close({ results, all }), usage }
    },
    { price: storyPrice, keepRequests: 10 },
  )
}

/** What was said last, how often the model has acted since, and what came of it. */
function lastScene(messages: readonly Message[]) {
  const start = messages.findLastIndex(
    ({ role, content }) =>
      role === 'user' && content.some(({ type }) => type === 'text'),
  )
  const since = messages.slice(start + 1)
  const blocks = since.flatMap<AnyBlock>(({ content }) => content)
  const isResult = (block: {
    readonly type: string
  }): block is ToolResultBlock => block.type === 'tool_result'
  return {
    said: textOf(messages[start]?.content ?? []),
    acted: since.filter(({ role }) => role === 'assistant').length,
    results: blocks.filter(isResult).map(({ isError, content }) => {
      return { isError, text: textOf(content) }
    }),
  }
}

interface AnyBlock {
  readonly type: string
}

function textOf(blocks: readonly AnyBlock[]): string {
  const isText = (block: AnyBlock): block is TextBlock => block.type === 'text'
  const texts = blocks.filter(isText)
  return texts.map(({ text }) => text).join('\n')
}

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8')

/** The tokens that a selector sets to a colour. */
function tokensOf(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`)
  const block = css.slice(start, css.indexOf('}', start))
  const pairs = [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)]
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value]))
}

const light = tokensOf(':root')
const themes = {
  light,
  dark: { ...light, ...tokensOf('[data-theme="dark"]') },
} as const

/** How much light a colour gives, as WCAG 2 has it. */
function luminanceOf(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: string, other: string): number {
  const [low, high] = [luminanceOf(one), luminanceOf(other)].sort(
    (a, b) => a - b,
  ) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const tones = ['good', 'caution', 'bad', 'changed', 'noted', 'accent']
const authors = [1, 2, 3, 4, 5, 6].map((at) => `author-${at}`)
const inks = ['ink', 'ink-muted', 'ink-faint', ...tones, ...authors]
const surfaces = ['', '-sunken', '-raised', '-hover', '-active'].map(
  (end) => `surface${end}`,
)
const marks = ['focus', 'caution-mark', ...tones]

const texts = [
  ...inks.flatMap((ink) => surfaces.map((under) => [ink, under] as const)),
  ...tones.map((tone) => [tone, `${tone}-soft`] as const),
  ...tones.map((tone) => ['ink', `${tone}-soft`] as const),
  ...tones.map((tone) => ['ink-muted', `${tone}-soft`] as const),
  ['accent-ink', 'accent'],
  ['accent-ink', 'accent-hover'],
] as const

describe.each(Object.entries(themes))('%s', (_, tokens) => {
  const weak = (
    pairs: readonly (readonly [string, string])[],
    least: number,
  ) => {
    expect(pairs.length).toBeGreaterThan(0)
    return pairs.flatMap(([one, other]) => {
      const [front, back] = [tokens[one], tokens[other]]
      if (front === undefined || back === undefined) {
        return [`${one} on ${other}: no colour of six digits`]
      }
      const contrast = contrastOf(front, back)
      return contrast < least
        ? [`${one} on ${other}: ${contrast.toFixed(2)}`]
        : []
    })
  }

  test('every text can be read on all that it stands on', () => {
    expect(weak(texts, 4.5)).toEqual([])
  })

  test('what is no text can be told from what is behind it', () => {
    const pairs = marks.flatMap((mark) =>
      surfaces.map((under) => [mark, under] as const),
    )
    expect(weak(pairs, 3)).toEqual([])
  })
})

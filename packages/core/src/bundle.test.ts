import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { gzipSync } from 'node:zlib'
import chromium from '@sparticuz/chromium'
import { chromium as browsers } from 'playwright-core'
import { build } from 'vite'
import { describe, expect, test } from 'vitest'

const source = new URL('.', import.meta.url)

async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2024',
      lib: {
        entry: new URL(entry, source).pathname,
        formats: ['iife'],
        name: 'hookline',
      },
    },
  })
  const [bundled] = Array.isArray(result) ? result : [result]
  if (bundled === undefined || !('output' in bundled)) {
    throw new Error('The bundler gave no output.')
  }
  return bundled.output.map((file) => ('code' in file ? file.code : '')).join()
}

/** Lines that do something: neither blank, nor comments, nor types. */
function countLines(folder: string): number {
  const files = readdirSync(new URL(folder, source)).filter(
    (file) => file.endsWith('.ts') && !file.includes('.test'),
  )
  return files
    .map((file) => readFileSync(new URL(`${folder}/${file}`, source), 'utf8'))
    .map((text) => stripTypeScriptTypes(text))
    .flatMap((text) => text.replace(/\/\*[\s\S]*?\*\//g, '').split('\n'))
    .filter((line) => line.trim() !== '' && !/^\s*\/\//.test(line)).length
}

describe('the engine', () => {
  test('is at most 6 kB when minified and gzipped', async () => {
    const code = await bundle('engine/engine.ts')
    const bytes = gzipSync(code, { level: 9 }).length
    console.log(`engine: ${bytes} bytes gzipped`)
    expect(bytes).toBeLessThanOrEqual(6_000)
  })

  test('can be read in one sitting: a thousand lines of code', () => {
    const lines = countLines('engine')
    console.log(`engine: ${lines} lines of code`)
    expect(lines).toBeLessThanOrEqual(1_000)
  })
})

test('the package runs in a browser', { timeout: 60_000 }, async () => {
  const code = await bundle('index.ts')
  const browser = await browsers.launch({
    args: [...chromium.args, '--no-sandbox'],
    executablePath: await chromium.executablePath(),
    headless: true,
  })
  try {
    const page = await browser.newPage()
    await page.setContent('<!doctype html><title>hookline</title>')
    await page.addScriptTag({ content: code })
    const reason = await page.evaluate(async () => {
      const { compileTable, createEngine, defineHook, definePoint, reject } =
        Object(globalThis).hookline
      const point = definePoint('page.load', { input: {}, answers: ['reject'] })
      const gate = defineHook({
        name: 'gate',
        on: point,
        run: async () => reject('Not in this browser.'),
      })
      const engine = createEngine(compileTable([gate]))
      const outcome = await engine.run(point, { url: 'about:blank' })
      return `${outcome.by}: ${outcome.reason}`
    })
    expect(reason).toBe('gate: Not in this browser.')
  } finally {
    await browser.close()
  }
})

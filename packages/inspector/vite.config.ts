import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The client can also use sockets and files, which no browser has. */
const withoutNode: Plugin = {
  name: 'without-node',
  enforce: 'pre',
  resolveId: (source) =>
    /\/(?:client-socket|find-home)\.js$/.test(source) ? nothing : undefined,
  load: (id) => (id === nothing ? 'export {}' : undefined),
}

const nothing = '\0nothing'

const ofTheSystem = 'domEnv ? nav.language : '

/**
 * Charts ask for numbers in the language of the system, which may be one that
 * no browser can write; what we show of them is written by us.
 */
const anyLanguage: Plugin = {
  name: 'any-language',
  transform(code, id) {
    if (!/\/uPlot\.esm\.js$/.test(id)) return undefined
    if (code.includes(ofTheSystem)) return code.replace(ofTheSystem, '')
    throw new Error('The charts are others; see whether this is still needed.')
  },
}

/** Makes everything small once, so that the daemon only has to send it. */
const compressed: Plugin = {
  name: 'compressed',
  async writeBundle({ dir = '' }) {
    const files = await readdir(dir, { recursive: true })
    const worth = files.filter((file) => /\.(js|css|html|svg)$/.test(file))
    for (const file of worth) {
      const text = await readFile(join(dir, file))
      await writeFile(join(dir, `${file}.gz`), gzipSync(text, { level: 9 }))
    }
  },
}

export default defineConfig({
  plugins: [withoutNode, anyLanguage, react(), tailwindcss(), compressed],
  // The one that reads for all tabs speaks with the daemon as well.
  worker: { format: 'es', plugins: () => [withoutNode] },
  build: {
    outDir: '../daemon/dist/inspector',
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the pages allows nothing that is written into them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Nobody but us reads the sources of a minified page.
    sourcemap: false,
    reportCompressedSize: false,
  },
})

/** @typedef {import('../import-table.mjs').Area} Area */

const inspector = 'packages/inspector/src'

/** @param {string[]} names */
const within = (...names) => names.map((name) => `${inspector}/${name}`)

/** What anybody draws with. */
const drawing = ['react', 'lucide-react']

/** Where somebody is, which keys there are, how it looks: for every view. */
const around = within('around/routes', 'around/keyboard', 'around/theme')

/** @type {Area[]} */
export const inspectorAreas = [
  {
    folder: `${inspector}/ui`,
    areas: [],
    packages: [...drawing, 'radix-ui', '@tanstack/react-virtual'],
  },
  {
    // The one place that knows the daemon.
    folder: `${inspector}/data`,
    areas: [],
    packages: ['react', '@hookline/daemon/client', '@tanstack/react-query'],
  },
  ...around.map((folder) => ({ folder, areas: [], packages: ['react'] })),
  {
    folder: `${inspector}/views`,
    areas: [...within('data', 'ui'), ...around],
    packages: [...drawing, '@tanstack/react-virtual', 'uplot'],
  },
  {
    folder: `${inspector}/app`,
    areas: [...within('data', 'ui', 'views'), ...around],
    packages: [...drawing, '@hookline/daemon/client', '@tanstack/react-query'],
  },
  {
    folder: inspector,
    areas: within('app', 'data', 'ui', 'around/keyboard', 'around/theme'),
    packages: ['react', 'react-dom'],
  },
]

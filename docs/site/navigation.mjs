/** @typedef {import('./render-document.mjs').Rendered} Rendered */
/** @typedef {{ title: string, pages: Rendered[] }} Group */

const guide = [
  'start',
  'concepts',
  'write-a-hook',
  'handle-failure',
  'order',
  'contributions',
  'handlers',
  'agents',
  'write-a-plugin',
  'command-line',
  'approvals',
  'records',
  'run-for-a-team',
  'security',
]

/**
 * All pages but the first, in groups. What a group does not name comes last in
 * it, so that no page is left out.
 * @param {readonly Rendered[]} documents
 * @returns {Group[]}
 */
export function navigation(documents) {
  const within = (/** @type {RegExp} */ pattern) =>
    documents.filter(({ path }) => pattern.test(path))
  const place = (/** @type {Rendered} */ { path }) => {
    const at = guide.findIndex((name) => path === `docs/guide/${name}.md`)
    return at < 0 ? guide.length : at
  }
  const pages = within(/^docs\/guide\/(?!from-|README)[^/]+\.md$/)
  const groups = [
    { title: 'Guide', pages: pages.sort((a, b) => place(a) - place(b)) },
    { title: 'Coming from', pages: within(/^docs\/guide\/from-/) },
    { title: 'Hooks that ship', pages: within(/^docs\/guide\/hooks\//) },
    { title: 'Reference', pages: within(/^docs\/(reference\/|errors)/) },
    { title: 'Running it', pages: within(/^docs\/(deployment|inspector)/) },
    {
      title: 'How it is built',
      pages: within(
        /^(ARCHITECTURE|CONTRIBUTING|SECURITY)|^docs\/(faults|seeds|neighbours|reliability|benchmarks|decisions\/)/,
      ),
    },
  ]
  return groups.filter(({ pages }) => pages.length > 0)
}

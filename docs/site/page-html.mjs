import { relative } from './render-document.mjs'

/** @typedef {import('./render-document.mjs').Rendered} Rendered */
/** @typedef {import('./navigation.mjs').Group} Group */

/**
 * @param {Rendered} document
 * @param {readonly Group[]} groups
 */
export function pageHtml({ page, title, html }, groups) {
  const to = (/** @type {string} */ path) => relative(page, path)
  const ordered = groups.flatMap(({ pages }) => pages)
  const at = ordered.findIndex((one) => one.page === page)
  const next = at < 0 ? ordered[0] : ordered[at + 1]
  const list = groups.map((group) => groupHtml(group, page)).join('\n')
  return `<!doctype html>
<html lang="en" data-base="${to('index.html').replace(/index\.html$/, '')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · hookline</title>
<link rel="stylesheet" href="${to('assets/search.css')}">
<link rel="stylesheet" href="${to('assets/site.css')}">
<link rel="stylesheet" href="${to('assets/text.css')}">
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<a class="home" href="${to('index.html')}">hookline</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found">
<kbd>/</kbd>
<ul id="found" role="listbox" hidden></ul>
</div>
<button id="menu" type="button" aria-expanded="false" aria-controls="pages">Pages</button>
</header>
<div class="columns">
<nav id="pages" aria-label="Pages">
${list}
</nav>
<main id="content">
${html}
${next ? `<p class="next"><a href="${to(next.page)}">Next: ${escaped(next.title)}</a></p>` : ''}
</main>
</div>
<script src="${to('assets/search-entries.js')}" defer></script>
<script src="${to('assets/minisearch.js')}" defer></script>
<script src="${to('assets/site.js')}" defer></script>
</body>
</html>
`
}

/**
 * @param {Group} group
 * @param {string} page
 */
function groupHtml({ title, pages }, page) {
  const isHere = pages.some((one) => one.page === page)
  const isOpen = isHere || pages.length < 16
  const items = pages.map((one) => {
    const here = one.page === page ? ' aria-current="page"' : ''
    return `<li><a href="${relative(page, one.page)}"${here}>${escaped(one.title)}</a></li>`
  })
  return `<details${isOpen ? ' open' : ''}><summary>${escaped(title)}</summary><ul>${items.join('')}</ul></details>`
}

/** @param {string} text */
function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
}

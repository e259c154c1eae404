const height = 20
const padding = 8

/**
 * Two words side by side, for pages of either colour.
 * @param {string} label
 * @param {string} value
 */
export function drawBadge(label, value) {
  const left = widthOf(label)
  const right = widthOf(value)
  const width = left + right
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img" aria-label="${label}: ${value}">`,
    `<title>${label}: ${value}</title>`,
    `<clipPath id="r"><rect width="${width}" height="${height}" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="${height}" fill="#45474f"/><rect x="${left}" width="${right}" height="${height}" fill="#3f4fd0"/></g>`,
    `<g fill="#fff" font-family="system-ui, Helvetica, Arial, sans-serif" font-size="11.5" text-anchor="middle">`,
    wordAt(label, left / 2),
    wordAt(value, left + right / 2),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

/** @param {string} word */
function widthOf(word) {
  const letters = Array.from(word).reduce(
    (sum, letter) => sum + letterWidth(letter),
    0,
  )
  return Math.round(letters) + 2 * padding
}

/**
 * About what most fonts without serifs give it.
 * @param {string} letter
 */
function letterWidth(letter) {
  if ('fijlrt., '.includes(letter)) return 4
  return /[mwA-Z≥≤]/.test(letter) ? 8.4 : 6.6
}

/**
 * Its length is given, whatever font the reader has.
 * @param {string} word
 * @param {number} middle
 */
function wordAt(word, middle) {
  const length = widthOf(word) - 2 * padding
  return `<text x="${middle}" y="14" textLength="${length}">${word}</text>`
}

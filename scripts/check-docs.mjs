// Holds the code in the documents and the badges to the sources, the reference
// to the built packages, links to existing files, and the names of tests to tests that there
// are. With --write, copies the sources into the documents first.
import { checkBadges, writeBadges } from './badges/badges.mjs'
import { checkDocs, syncDocs } from './checks/docs.mjs'
import { report } from './checks/report.mjs'
import { checkReference, writeReference } from './reference/reference.mjs'

const root = process.cwd()
if (process.argv.includes('--write')) {
  const written = [
    ...syncDocs(root),
    ...writeBadges(root),
    ...(await writeReference(root)),
  ]
  for (const file of written) console.log(`synced ${file}`)
}
const { files, problems } = checkDocs(root)
report(
  [...problems, ...checkBadges(root), ...(await checkReference(root))],
  `${files.length} documents agree with the sources`,
)

// Holds the code in the documents to the sources, the reference to the built
// packages, and links to existing files. With --write, copies the sources into
// the documents first.
import { checkDocs, syncDocs } from './checks/docs.mjs'
import { report } from './checks/report.mjs'
import { checkReference, writeReference } from './reference/reference.mjs'

const root = process.cwd()
if (process.argv.includes('--write')) {
  const written = [...syncDocs(root), ...(await writeReference(root))]
  for (const file of written) console.log(`synced ${file}`)
}
const { files, problems } = checkDocs(root)
report(
  [...problems, ...(await checkReference(root))],
  `${files.length} documents agree with the sources`,
)

// Holds the code in the documents to the sources, and links to existing files.
// With --write, copies the sources into the documents first.
import { checkDocs, syncDocs } from './checks/docs.mjs'
import { report } from './checks/report.mjs'

const root = process.cwd()
if (process.argv.includes('--write')) {
  for (const file of syncDocs(root)) console.log(`synced ${file}`)
}
const { files, problems } = checkDocs(root)
report(problems, `${files.length} documents agree with the sources`)

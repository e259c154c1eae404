// Holds the sources to the rules of checks/import-table.mjs.
import { checkImports } from './checks/import-rules.mjs'
import { report } from './checks/report.mjs'

const { files, problems } = checkImports(process.cwd())
report(problems, `${files.length} files keep the import rules`)

// Times what a store costs beside the bare driver. README.md says how to read
// the output; its last line is for programs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type StoreOptions } from '@hookline/agent/durable'
import { startPostgres } from '../../packages/agent/src/store/fixtures/postgres-server.ts'
import { writeBarePostgres, writeBareSqlite } from './store/bare.ts'
import { claimGrowth } from './store/claims.ts'
import { bareRowsOf, recordRuns } from './store/recorded.ts'
import { secondsToRecover } from './store/recovery.ts'
import { median } from './summary.ts'

const runs = 12_800
const rounds = 7
const many = Number(
  process.argv.find((one) => one.startsWith('--rows='))?.slice(7) ?? 10_000_000,
)

const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
const server = await startPostgres()

interface Place {
  readonly name: string
  readonly database: StoreOptions['database']
  readonly bare: (
    rows: Parameters<typeof writeBareSqlite>[1],
  ) => Promise<number>
}

const at = (name: string) => ({ file: join(folder, name) })
const inSchema = (schema: string) => ({ url: server.url, schema })
const { file } = at('store.db')
const postgres = inSchema('bench')
const places: readonly Place[] = [
  {
    name: 'sqlite',
    database: { file },
    bare: async (rows) => writeBareSqlite(file, rows),
  },
  {
    name: 'postgres',
    database: postgres,
    bare: (rows) => writeBarePostgres(postgres, rows),
  },
]

/** Both in the same database, in turn: neither has a smaller one. */
async function ratioOf({ name, database, bare }: Place): Promise<number> {
  const store = await openStore({ database })
  const pairs: { readonly ours: number; readonly bare: number }[] = []
  try {
    for (let round = 0; round <= rounds; round++) {
      const ours = await recordRuns(store, `ours-${round}`, runs)
      const named = { name: `ours-${round}`, round }
      const rate = await bare(await bareRowsOf(store, named))
      // The first round warms both up.
      if (round > 0) pairs.push({ ours, bare: rate })
    }
  } finally {
    await store.close()
  }
  const rate = (key: 'ours' | 'bare') =>
    Math.round(median(pairs.map((pair) => pair[key]))).toLocaleString('en')
  const ratio = median(pairs.map((pair) => pair.ours / pair.bare))
  console.log(
    `${name.padEnd(9)} ${rate('ours').padStart(9)} runs/s recorded, ${rate('bare').padStart(9)} bare, ratio ${ratio.toFixed(2)}`,
  )
  return ratio
}

try {
  console.log(
    `Started, then completed, ${runs} runs in batches of 256, each batch on the disk; median of ${rounds} rounds.\n`,
  )
  const ratios: number[] = []
  for (const place of places) ratios.push(await ratioOf(place))
  console.log()
  const files = [at('few.db'), at('many.db')] as const
  const schemas = [inSchema('few'), inSchema('many')] as const
  const growths = [
    await claimGrowth('sqlite', files, many),
    await claimGrowth('postgres', schemas, many),
  ]
  const recoverySeconds = await secondsToRecover(join(folder, 'recover.db'))
  const [sqlite = 0, pg = 0] = ratios
  console.log(
    `\n${JSON.stringify({
      sqliteVsBare: Number(sqlite.toFixed(2)),
      postgresVsBare: Number(pg.toFixed(2)),
      claimGrowth: Number(Math.max(...growths).toFixed(2)),
      recoverySeconds: Number(recoverySeconds.toFixed(2)),
    })}`,
  )
} finally {
  await server.remove()
  rmSync(folder, { recursive: true, force: true })
}

import { beforeAll } from 'vitest'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { emptied, openProcess } from './fixtures/open-process.ts'
import { sessionStoreContract } from './fixtures/session-contract.ts'

forEachDatabase((kit) => {
  let database: Database
  beforeAll(async () => {
    database = await kit.open()
  })
  sessionStoreContract(async () => {
    const { store } = await openProcess(await emptied(database), 'w1')
    return store
  })
})

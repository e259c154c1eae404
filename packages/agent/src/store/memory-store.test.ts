import { createMemoryStore } from './memory-store.ts'
import { sessionStoreContract } from './sessions/fixtures/session-contract.ts'
import { titleContract } from './sessions/fixtures/title-contract.ts'

sessionStoreContract(async () => createMemoryStore())

titleContract(async () => {
  const { title, ...store } = createMemoryStore()
  if (title === undefined) throw new Error('It keeps no titles.')
  return { ...store, title }
})

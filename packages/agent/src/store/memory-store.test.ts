import { createMemoryStore } from './memory-store.ts'
import { sessionStoreContract } from './sessions/fixtures/session-contract.ts'
import { titleContract } from './sessions/fixtures/title-contract.ts'

sessionStoreContract(async () => createMemoryStore())

titleContract(async () => {
  const store = createMemoryStore()
  return { ...store, title: (id, text) => store.title?.(id, text) ?? null }
})

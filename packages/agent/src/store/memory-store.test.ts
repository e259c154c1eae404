import { createMemoryStore } from './memory-store.ts'
import { sessionStoreContract } from './sessions/fixtures/session-contract.ts'

sessionStoreContract(async () => createMemoryStore())

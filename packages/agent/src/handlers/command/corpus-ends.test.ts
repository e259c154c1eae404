import { endsRows } from './fixtures/corpus/end-rows.ts'
import { testCorpus } from './fixtures/corpus/run-corpus.ts'
import { startRows } from './fixtures/corpus/start-rows.ts'

testCorpus([...endsRows, ...startRows])

import { inputRows } from './fixtures/corpus/input-rows.ts'
import { printedRows } from './fixtures/corpus/printed-rows.ts'
import { testCorpus } from './fixtures/corpus/run-corpus.ts'

testCorpus([...printedRows, ...inputRows])

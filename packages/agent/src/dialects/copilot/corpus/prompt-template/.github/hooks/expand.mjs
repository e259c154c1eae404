import { readFileSync } from 'node:fs'

const { transformedPrompt } = JSON.parse(readFileSync(0, 'utf8'))
process.stdout.write(
  JSON.stringify({
    modifiedTransformedPrompt: transformedPrompt.replace(
      '@review',
      'Review the change for bugs.',
    ),
  }),
)

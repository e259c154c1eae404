let text = ''
for await (const chunk of process.stdin) text += chunk
const { prompt } = JSON.parse(text)
const isLong = prompt.length > 2000
process.stdout.write(
  JSON.stringify({
    continue: !isLong,
    ...(isLong && {
      user_message: 'Prompts are at most 2000 characters here.',
    }),
  }),
)

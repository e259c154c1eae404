export async function waitMs(ms: number): Promise<void> {
  await new Promise((done) => setTimeout(done, ms))
}

/** Experiments of Node that we have chosen to rely on are no news to users. */
export function quietWarnings(): void {
  const tell = process.emitWarning.bind(process)
  process.emitWarning = (...given: unknown[]) => {
    const [, about] = given
    const isExperiment =
      about === 'ExperimentalWarning' ||
      (typeof about === 'object' &&
        about !== null &&
        'type' in about &&
        about.type === 'ExperimentalWarning')
    // The signature has overloads; what came in goes on as it was.
    if (!isExperiment) tell(...(given as Parameters<typeof tell>))
  }
}

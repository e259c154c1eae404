import type { Clock, MaybePromise } from 'hookline'
import type { ModelResponse, TextEvent } from 'hookline/lifecycle'
import type { GenerateOptions } from '../ports/model.ts'
import { ModelFailure } from '../ports/model-failure.ts'
import type { CompiledStep } from './compile-step.ts'
import { pause, waitWhileWanted } from './wait.ts'

type PlayStep = (
  compiled: CompiledStep,
  options: GenerateOptions,
) => MaybePromise<ModelResponse>

/** Answers at once, unless the step or its listener asks it to wait. */
export function stepPlayer(clock: Clock): PlayStep {
  const playLater = async (
    compiled: CompiledStep,
    options: GenerateOptions,
  ) => {
    const { signal } = options
    const { afterMs = 0, waitFor } = compiled.step
    if (afterMs > 0) await pause(afterMs, { clock, signal })
    if (waitFor) await waitWhileWanted(waitFor, signal)
    return speak(compiled, options)
  }
  return (compiled, options) => {
    const { afterMs = 0, waitFor } = compiled.step
    const isLater = afterMs > 0 || waitFor !== undefined
    return isLater ? playLater(compiled, options) : speak(compiled, options)
  }
}

function speak(
  compiled: CompiledStep,
  options: GenerateOptions,
): MaybePromise<ModelResponse> {
  const streaming = options.onPart && stream(compiled.parts().values(), options)
  return streaming ? streaming.then(() => end(compiled)) : end(compiled)
}

function end({ error, response }: CompiledStep): ModelResponse {
  if (error) throw new ModelFailure(error)
  return response
}

/** A promise, if the listener gave one. */
function stream(
  rest: ArrayIterator<TextEvent>,
  options: GenerateOptions,
): Promise<void> | undefined {
  // The iterator of a list goes on where a loop has left it.
  for (const part of rest) {
    const heard = options.onPart?.(part)
    if (!heard) continue
    return waitWhileWanted(heard, options.signal).then(() =>
      stream(rest, options),
    )
  }
  return undefined
}

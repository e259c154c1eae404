import { z } from 'zod'

/**
 * A model wrote it. The tool that it asks with allows half as much, but counts
 * characters; some of them are two here.
 */
const text = (maxLength: number) => z.string().min(1).max(maxLength)

const question = z.object({
  /** Unique among the questions of a call. */
  id: text(40),
  /** A word or two. */
  header: text(60),
  question: text(2_000),
  /** What to choose from; absent: the answer is text. */
  options: z
    .array(z.object({ label: text(200), description: text(600).optional() }))
    .max(10)
    .optional(),
  /** Any number of options may be chosen; default: exactly one. */
  multiSelect: z.boolean().optional(),
  /** Text may be given in place of an option; default false. */
  allowText: z.boolean().optional(),
})

export const questions = z.array(question).min(1).max(5)

export type UserQuestion = z.infer<typeof question>

/** What an agent asks, and no more of it than this; undefined for what is none. */
export function readQuestions(given: unknown): UserQuestion[] | undefined {
  return questions.safeParse(given).data
}

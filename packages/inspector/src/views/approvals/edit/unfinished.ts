import {
  createContext,
  useCallback,
  useContext,
  useId,
  useLayoutEffect,
  useState,
} from 'react'

type Mark = (part: string, isUnfinished: boolean) => void

/** The form that a part is in. */
export const UnfinishedContext = createContext<Mark>(() => undefined)

/** Whether any part of a form holds other words than would be sent. */
export function useUnfinished(): readonly [hasUnfinished: boolean, mark: Mark] {
  const [parts, setParts] = useState<ReadonlySet<string>>(new Set())
  const mark = useCallback((part: string, isUnfinished: boolean) => {
    setParts((last) => {
      const others = [...last].filter((one) => one !== part)
      return new Set(isUnfinished ? [...others, part] : others)
    })
  }, [])
  return [parts.size > 0, mark]
}

/** Holds a form back as long as a part is there and not finished. */
export function useMark(isUnfinished: boolean): void {
  const mark = useContext(UnfinishedContext)
  const part = useId()
  // Before anybody can send the form.
  useLayoutEffect(() => {
    if (!isUnfinished) return undefined
    mark(part, true)
    return () => mark(part, false)
  }, [mark, part, isUnfinished])
}

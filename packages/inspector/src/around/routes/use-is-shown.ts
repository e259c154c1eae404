import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * Whether what asks is still there. Who has waited for something leads nobody
 * anywhere who has gone on in the meantime.
 */
export function useIsShown(): () => boolean {
  const isShown = useRef(false)
  useLayoutEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useCallback(() => isShown.current, [])
}

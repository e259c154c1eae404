import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react'
import { navigate } from './navigation.ts'

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** Made by `hrefOf`. */
  readonly href: string
  readonly ref?: Ref<HTMLAnchorElement>
}

/** A real link, so that it can be copied and opened elsewhere. */
export function Link({ href, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isOurs = event.button === 0 && !event.defaultPrevented
    const isElsewhere =
      event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (!isOurs || isElsewhere) return
    event.preventDefault()
    navigate(href)
  }
  return <a href={href} onClick={follow} {...rest} />
}

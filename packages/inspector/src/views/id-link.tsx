import { Link } from '../around/routes/link.tsx'
import { HostileText } from '../ui/hostile-text.tsx'
import { Fact } from '../ui/section.tsx'

interface IdLinkProps {
  readonly name: string
  readonly text: string
  readonly href: string
}

/** Something that a fact is about, which has a page of its own. */
export function IdLink({ name, text, href }: IdLinkProps) {
  return (
    <Fact name={name}>
      <Link
        href={href}
        className="font-mono text-xs break-all text-accent hover:underline"
      >
        <HostileText text={text} />
      </Link>
    </Fact>
  )
}

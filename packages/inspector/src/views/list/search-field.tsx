import { Search } from 'lucide-react'
import type { RefObject } from 'react'
import { TextField } from '../../ui/field.tsx'

interface SearchFieldProps {
  readonly ref: RefObject<HTMLInputElement | null>
  readonly label: string
  readonly placeholder: string
  readonly className: string
  readonly value: string
  readonly onSearch: (words: string) => void
}

/** As much as the daemon looks for. */
const maxLength = 200

/** Words that are looked for; Escape leaves it. */
export function SearchField({ onSearch, ...props }: SearchFieldProps) {
  return (
    <TextField
      {...props}
      icon={<Search />}
      maxLength={maxLength}
      onChange={({ target }) => onSearch(target.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') currentTarget.blur()
      }}
    />
  )
}

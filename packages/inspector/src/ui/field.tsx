import { ChevronDown } from 'lucide-react'
import type {
  InputHTMLAttributes,
  ReactNode,
  Ref,
  SelectHTMLAttributes,
} from 'react'
import { classNames } from './class-names.ts'

const box =
  'h-8 rounded-md border border-line bg-raised text-sm text-ink placeholder:text-faint hover:border-line-strong focus-visible:border-focus focus-visible:outline-1 focus-visible:outline-offset-0'

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  /** What it is for; read out, not drawn. */
  readonly label: string
  readonly icon?: ReactNode
  readonly ref?: Ref<HTMLInputElement>
}

export function TextField({ label, icon, className, ...rest }: TextFieldProps) {
  return (
    <span className={classNames('relative inline-flex', className)}>
      {icon !== undefined && (
        <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-faint [&_svg]:size-3.5">
          {icon}
        </span>
      )}
      <input
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        className={classNames(
          box,
          'w-full min-w-0 pr-2.5',
          icon === undefined ? 'pl-2.5' : 'pl-8',
        )}
        {...rest}
      />
    </span>
  )
}

interface Choice {
  readonly value: string
  readonly label: string
}

interface SelectFieldProps
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  readonly label: string
  readonly choices: readonly Choice[]
  readonly onChoose: (value: string) => void
}

/** The system's own: it works everywhere, by keyboard and on phones. */
export function SelectField({
  label,
  choices,
  onChoose,
  className,
  ...rest
}: SelectFieldProps) {
  return (
    <span className={classNames('relative inline-flex min-w-0', className)}>
      <select
        aria-label={label}
        className={classNames(box, 'max-w-full appearance-none pr-7 pl-2.5')}
        onChange={({ target }) => onChoose(target.value)}
        {...rest}
      >
        {choices.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-2 my-auto size-3.5 text-faint"
      />
    </span>
  )
}

/** The sign of the product. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className="size-6 shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M10 7v18M10 16h8a4 4 0 0 1 4 4v1"
        fill="none"
        strokeWidth="3"
        strokeLinecap="round"
        className="stroke-accent-ink"
      />
      <circle cx="22" cy="24" r="2.6" className="fill-accent-ink" />
    </svg>
  )
}

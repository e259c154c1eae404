/** Something is being done. Whatever is around it says what. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-3.5 animate-turn rounded-full border-2 border-current border-t-transparent opacity-70"
    />
  )
}

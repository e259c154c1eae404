const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
})

/** When it was, to the second. */
export function ExactTime({ at }: { readonly at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} className="tabular-nums">
      {exact.format(at)}
    </time>
  )
}

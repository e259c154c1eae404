import type { SpanSums } from './spans.ts'

const width = 96
const height = 20

/** A hint of how it went; the numbers stand beside it. */
export function Sparkline({ spans }: { readonly spans: readonly SpanSums[] }) {
  const most = Math.max(1, ...spans.map(({ calls }) => calls))
  const step = width / Math.max(1, spans.length)
  const bar = Math.max(1, step * 0.8)
  return (
    <svg aria-hidden="true" width={width} height={height}>
      <rect y={height - 1} width={width} height={1} className="fill-line" />
      {spans.map(({ at, calls, failed, timedOut }, place) => {
        if (calls === 0) return null
        const tall = Math.max(2, (calls / most) * height)
        const bad = ((failed + timedOut) / calls) * tall
        const x = place * step
        return (
          <g key={at}>
            <rect
              x={x}
              y={height - tall}
              width={bar}
              height={tall}
              className="fill-faint opacity-50"
            />
            {bad > 0 && (
              <rect
                x={x}
                y={height - bad}
                width={bar}
                height={bad}
                className="fill-bad"
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}

import { openHub } from './open-hub.ts'

// All tabs of a browser share this one, which reads for all of them.
const hub = openHub()

addEventListener('connect', (event) => {
  // It is how a page comes to a shared worker.
  const { ports } = event as MessageEvent
  const [page] = ports
  if (page === undefined) return
  page.onmessage = ({ data, ports: [port] }: MessageEvent) => {
    if (port !== undefined) hub.attach(port, data)
  }
})

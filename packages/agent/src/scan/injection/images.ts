import type { Finding } from '../finding.ts'

const image =
  /!\[[^\]\n]{0,80}\]\(\s{0,3}(https?:\/\/[^\s()]{1,400}(?: [^\s()]{1,40}){0,6})/gi

// A place that a model is to fill in.
const blank =
  /\{\{?[^}]{1,40}\}|\[[^\]]{1,40}\]|%7B|<[^>]{1,40}>|[A-Z]_HERE|\$\{?\w/
const telling =
  /[?&](?:data|d|q|secret|token|key|leak|exfil|payload|conversation|history|context|prompt|msg|content|info|log)=/i

/** Images whose address carries something away when they are shown. */
export function findImages(text: string): readonly Finding[] {
  return Array.from(text.matchAll(image)).flatMap(
    ({ index, 0: { length }, 1: url = '' }) =>
      blank.test(url) || telling.test(url)
        ? [{ kind: 'exfiltration', start: index, end: index + length }]
        : [],
  )
}

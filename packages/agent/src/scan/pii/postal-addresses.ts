import type { Spans } from '../spans.ts'
import { isSpokenOf } from './digits.ts'

const name = "\\p{Lu}[\\p{L}'’.-]{0,15}"
const endings =
  'Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Way|Place|Pl|Terrace|Square|Sq|Parkway|Pkwy|Highway|Hwy|Circle|Close|Crescent|Row|Mews'
const unit = '(?:,? (?:Apt|Suite|Unit|Ste|Flat|#)\\.? ?[\\w-]{1,6})?'
const city = `${name}(?: ${name}){0,2}`

const english = `\\d{1,6}[A-Za-z]?(?: ${name}| \\d{1,3}(?:st|nd|rd|th)){1,3} (?:${endings})\\b\\.?${unit}`
const englishPlace = `(?:,? ${city})?(?:,? [A-Z]{2}(?: \\d{5}(?:-\\d{4})?)|,? [A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2})`
const german = `\\p{Lu}[\\p{L}-]{1,24}(?:straße|strasse|str\\.|weg|platz|allee|gasse|ring|damm|ufer)(?: ?)\\d{1,4} ?[a-z]?\\b`
const germanApart = `(?:Am|An der|Auf dem|Im|Unter den|Zum|Zur) ${name} \\d{1,4}[a-z]?\\b`
const germanPlace = `,? (?:[ACD]{1,2}-)?\\d{4,5} ${city}`
const french = `\\d{1,4}(?: ?bis| ?ter)?,? (?:rue|avenue|boulevard|place|chemin|allée|quai|impasse) (?:de la |de l['’]|des |du |de |d['’])?${name}(?: ${name}){0,3}`
const frenchPlace = `,? \\d{5} ${city}`
const spanish = `(?:Calle|Avenida|Avda\\.?|Plaza|Paseo|Carrera|C/)(?: de la| del| de)? ${name}(?: ${name}){0,3},? (?:n\\.?º ?)?\\d{1,4}\\b`
const chinese =
  '\\p{Script=Han}{2,8}(?:市|区|县)\\p{Script=Han}{2,8}(?:路|街|道|巷)\\d{1,5}号'

/** An address, and what stands after it if it is one without a doubt. */
const shapes: readonly RegExp[] = [
  [english, englishPlace],
  [german, germanPlace],
  [germanApart, germanPlace],
  [french, frenchPlace],
  [spanish, frenchPlace],
].map(
  ([street, place]) => new RegExp(`(?<![\\p{L}\\d])${street}(${place})?`, 'gu'),
)

const certain = new RegExp(chinese, 'gu')

const words =
  /(?:address|lives? (?:at|in)|living at|resid(?:es|ing|ence)(?: at)?|ships?(?: it| them)? to|deliver(?:y|ed)?(?: it)?(?: to)?|mail(?:ed)? (?:it )?to|home at|moved to|adresse|anschrift|wohn(?:t|haft)?(?: in)?(?: der)?|lieferung an|habite(?: au)?|livraison|dirección|domicilio|vive en(?: la)?|envío a)(?: is| ist| est| es)?[\s:,"'|-]{0,4}$/i

/** Where people live: a street with its place, or where the text says so. */
export function findPostalAddresses(text: string, spans: Spans): void {
  for (const shape of shapes) {
    for (const { index, 0: found, 1: place } of text.matchAll(shape)) {
      const isKnown =
        place !== undefined || isSpokenOf(text, index, { words, chars: 40 })
      if (isKnown) spans.add(index, index + found.length, 'address')
    }
  }
  for (const { index, 0: found } of text.matchAll(certain)) {
    spans.add(index, index + found.length, 'address')
  }
}

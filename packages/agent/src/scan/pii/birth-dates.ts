import type { Spans } from '../spans.ts'

const months =
  'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|ene|abr|ago|dic|janv|févr|mars|avr|juin|juil|août|déc'
const year = '(?:19|20)\\d\\d'
const dates = [
  `${year}[-/.]\\d{1,2}[-/.]\\d{1,2}`,
  `\\d{1,2}[-/.] ?\\d{1,2}[-/.] ?(?:${year}|\\d\\d)(?!\\d)`,
  `\\d{1,2}(?:st|nd|rd|th|er|\\.)? (?:of |de )?(?:${months})\\p{L}{0,7}\\.?,? (?:de )?${year}`,
  `(?:${months})\\p{L}{0,7}\\.? \\d{1,2}(?:st|nd|rd|th)?,? ${year}`,
  `${year} ?年 ?\\d{1,2} ?月 ?\\d{1,2} ?日`,
]
const spoken =
  'born(?: on(?: the)?)?|d\\.?o\\.?b\\.?|date[ _-]?of[ _-]?birth|birth[ _-]?(?:date|day)|geboren(?: am)?|geb\\.(?: am)?|geburtsdatum|geburtstag|née? le|date de naissance|nacid[oa](?: el)?|fecha de nacimiento|出生日期|出生于|生日|生于'

const birthDate = new RegExp(
  `(?<![\\p{L}])(?:${spoken})(["'\`]?[\\s:=,(*|-]{0,4}(?:is|ist|est|es|was|on|am|le|el|是)?[\\s:=,("'\`*|-]{0,4})(${dates.join('|')})`,
  'giu',
)

/** Dates that a text says somebody was born on. */
export function findBirthDates(text: string, spans: Spans): void {
  for (const { index, 0: found, 2: date = '' } of text.matchAll(birthDate)) {
    const end = index + found.length
    spans.add(end - date.length, end, 'birth-date')
  }
}

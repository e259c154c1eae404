import type { Spans } from '../spans.ts'
import { digitsOf, isSpokenOf } from './digits.ts'

const international =
  /(?<![\w+])(?:\+|(?<!\d )00(?=[1-9]\d))[1-9]\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d(?:[ ./-]?\d){5,13}(?![\w]|[.-]\d)/g
const american =
  /(?<![\w.+-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[.-])[2-9]\d{2}[ .-]\d{4}(?![\w]|[.-]\d)/g
const national =
  /(?<![\w.+:/-])\(?0\d{1,4}\)?(?:[ ./-]?\d){5,10}(?![\w]|[.:-]\d)/g
const plain = /(?<![\w.+:/-])[2-9]\d{2}[ ]?\d{3}[ ]?\d{4}(?![\w]|[.:-]\d)/g

const words =
  /(?:phone|tel|call(?: me| us)?(?: at| on)?|mobile|mobil|cell|fax|whatsapp|sms|text me(?: at)?|handy|telefon|telefono|teléfono|téléphone|portable|rufnummer|número|numéro|电话|手机)[^\w]{0,3}(?:(?:number|no|nr|is|lautet|unter|at|on|es el|est le|是)[ .:]{0,3}){0,3}["'(]?$/i

const chinese = /(?<![\w.+-])1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?![\w]|[.-]\d)/g

/** Numbers of telephones: written as such, or where the text speaks of one. */
export function findPhones(text: string, spans: Spans): void {
  for (const { index, 0: found } of text.matchAll(international)) {
    const count = digitsOf(found).length
    if (count >= 8 && count <= 17)
      spans.add(index, index + found.length, 'phone')
  }
  for (const { index, 0: found } of text.matchAll(american)) {
    spans.add(index, index + found.length, 'phone')
  }
  for (const pattern of [national, plain, chinese]) {
    for (const { index, 0: found } of text.matchAll(pattern)) {
      if (!isSpokenOf(text, index, { words, chars: 40 })) continue
      spans.add(index, index + found.length, 'phone')
    }
  }
}

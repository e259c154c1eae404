import type { MemoryPolicy } from './memory-policy.ts'

// Whoever says so is heard in these languages; elsewhere a model can be asked.
const notKept = [
  /\b(?:do not|don'?t|never|please don'?t) (?:you )?(?:remember|memori[sz]e|store|save|keep|note|write down) (?:this|that|any|it|what|anything)/i,
  /\boff the record\b/i,
  /\b(?:between you and me|just between us)\b/i,
  /\b(?:merk|speicher|behalte?|notier)e? (?:dir )?(?:das|dies|es|nichts)\b.{0,30}\b(?:nicht|nichts)\b/i,
  /\b(?:merk dir nichts|nicht (?:merken|speichern|notieren)|unter uns gesagt)\b/i,
  /\bno (?:recuerdes|guardes|anotes|memorices)\b/i,
  /覚えないで|記憶しないで|保存しないで|ここだけの話/,
]

const notUsed = [
  /\b(?:do not|don'?t|without) (?:use|using|look at|looking at|consult|consulting) (?:your |the |any )?(?:memory|memories|notes)\b/i,
  /\b(?:ohne|nicht) (?:dein|ihr|das|auf (?:dein|ihr|das))e?[mns]? ?(?:gedächtnis|erinnerung(?:en)?)\b/i,
  /\bsin usar (?:tu|la) memoria\b/i,
  /記憶を使わ(?:ないで|ずに)/,
]

/** What a turn says itself about memory: all is allowed unless it says no. */
export function policyByRules(text: string): MemoryPolicy {
  return {
    read: !notUsed.some((pattern) => pattern.test(text)),
    write: !notKept.some((pattern) => pattern.test(text)),
  }
}

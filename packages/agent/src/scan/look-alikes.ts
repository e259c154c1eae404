/**
 * Letters that read as Latin ones and that no normalization makes the same:
 * each pair is a row of them and what they are read as, letter by letter.
 */
const rows: readonly (readonly [string, string])[] = [
  // Cyrillic, as it is written and in capitals.
  ['авсеніјкморѕтухѵԁԛԝһӏгԍɡ', 'abcehijkmopstyxvdqwhlrgg'],
  ['АВСЕНІЈКМОРЅТУХѴԀԚԜҺӀ', 'abcehijkmopstyxvdqwhl'],
  // Greek.
  ['αβεηικνορτυχωϲϳγ', 'abenikvoptuxwcjy'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ', 'abezhikmnoptyxcj'],
  // Latin with a stroke or without its dot, and from phonetic alphabets.
  ['øđłħŧƀıɩɑɪ', 'odlhtbiiai'],
  ['ᴀʙᴄᴅᴇꜰɢʜᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghjklmnoprstuvwyz'],
]

function readRows(): ReadonlyMap<string, string> {
  const pairs = rows.flatMap(([from, to]) =>
    Array.from(from, (letter, at): [string, string] => [
      letter,
      to[at] ?? letter,
    ]),
  )
  return new Map(pairs)
}

/** What a letter is read as, where that is another one. */
export const lookAlikes = readRows()

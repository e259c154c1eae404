/** Makes `$1`, `$2`, … of every `?` outside quotes. */
export function numberPlaceholders(sql: string): string {
  let count = 0
  return sql.replace(quotedOrMark, (found) => {
    if (found !== '?') return found
    count += 1
    return `$${count}`
  })
}

const quotedOrMark = /'[^']*'|"[^"]*"|--[^\n]*|\?/g

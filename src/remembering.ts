const most = 200
const longest = 200

/**
 * Makes a function remember what it gives, for texts that come again and again, such as headers and media types: there are
 * few distinct ones. Anybody may send others, so that few are kept, long ones never.
 */
export function remembering<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>()
  return (text) => {
    const known = made.get(text)
    if (known !== undefined || made.has(text)) return known as T
    const value = make(text)
    if (text.length > longest) return value
    if (made.size === most) made.clear()
    made.set(text, value)
    return value
  }
}

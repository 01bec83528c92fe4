/** Undoes URL-encoding once; undefined when it is malformed. */
export function decodeOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

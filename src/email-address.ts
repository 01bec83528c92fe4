/** What the e-mail address of a user looks like: nothing that divides the members of the token, whose cookie it stands in. */
export const emailPattern = '^[^\\s,=;@\\p{C}]+@[^\\s,=;@\\p{C}]+$'
export const longestEmail = 254

const form = new RegExp(emailPattern, 'u')

export function isEmailAddress(text: string): boolean {
  return text.length <= longestEmail && form.test(text)
}

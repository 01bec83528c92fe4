/** Why a file cannot be imported; the message is the end of a sentence, and names the place if `pointer` does not. */
export class Unreadable extends Error {
  /** A JSON pointer (RFC 6901) into the document. */
  readonly pointer: string | undefined

  constructor(message: string, pointer?: string) {
    super(message)
    this.pointer = pointer
  }
}

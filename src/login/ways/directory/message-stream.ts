import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { isWellFormed, messageLength } from './ber.ts'

const mostBytes = 1024 * 1024
const mostMessages = 2000

/**
 * A socket that gives whole, well-formed messages one by one, and so many at most: the client takes whatever comes
 * together in one recursion, keeps every byte, and never ends reading a malformed message.
 */
export class MessageStream extends Duplex {
  /** What the client asks a socket for that is connected already. */
  readonly readyState = 'open'
  private readonly socket: Socket
  private chunks: Buffer[] = []
  private waiting = 0
  private needed = 2
  private bytes = 0
  private messages = 0

  constructor(socket: Socket) {
    super({ readableObjectMode: true })
    this.socket = socket
    socket.on('data', this.receive)
    socket.on('end', this.finish)
    socket.on('error', this.fail)
    socket.on('close', this.fail)
  }

  /** Gives the socket back; false when more has come than one message. */
  release(): boolean {
    this.socket.off('data', this.receive).off('end', this.finish).off('error', this.fail).off('close', this.fail)
    return this.messages === 1 && this.waiting === 0
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy()
    done(error)
  }

  private readonly finish = () => this.push(null)
  private readonly fail = (error: unknown) => this.destroy(error instanceof Error ? error : undefined)

  private readonly receive = (chunk: Buffer) => {
    this.chunks.push(chunk)
    this.waiting += chunk.length
    this.bytes += chunk.length
    try {
      while (this.waiting >= this.needed) this.cut()
    } catch (error) {
      this.destroy(error as Error)
    }
  }

  /** Takes the next message, or notes how much has to come before it can be taken. */
  private cut(): void {
    const whole = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks)
    this.chunks = [whole]
    const length = messageLength(whole)
    this.needed = length ?? whole.length + 1
    if (this.bytes > mostBytes || this.needed > mostBytes) throw new Error('The directory answers at too great length.')
    if (length === undefined || whole.length < length) return
    const message = whole.subarray(0, length)
    if (!isWellFormed(message)) throw new Error('The directory answers something malformed.')
    if (++this.messages > mostMessages) throw new Error('The directory answers at too great length.')
    this.chunks = [whole.subarray(length)]
    this.waiting = whole.length - length
    this.needed = 2
    this.push(message)
  }
}

interface PictureType {
  mediaType: string
  /** How such files begin; undefined stands for any byte. */
  beginning: readonly (number | undefined)[]
}

const text = (letters: string) => [...letters].map((letter) => letter.charCodeAt(0))
const anyLength = [undefined, undefined, undefined, undefined]

const types: readonly PictureType[] = [
  { mediaType: 'image/png', beginning: [0x89, ...text('PNG\r\n'), 0x1a, 0x0a] },
  { mediaType: 'image/jpeg', beginning: [0xff, 0xd8, 0xff] },
  { mediaType: 'image/gif', beginning: text('GIF87a') },
  { mediaType: 'image/gif', beginning: text('GIF89a') },
  { mediaType: 'image/webp', beginning: [...text('RIFF'), ...anyLength, ...text('WEBP')] },
]

/** The media types that pictures may have. */
export const pictureTypes: readonly string[] = [...new Set(types.map(({ mediaType }) => mediaType))]

/** The media type of a picture, by its first bytes, whatever its sender says of it; undefined when it is none of these. */
export function pictureType(bytes: Uint8Array): string | undefined {
  return types.find(({ beginning }) =>
    beginning.every((byte, place) => (byte === undefined ? place < bytes.length : bytes[place] === byte)),
  )?.mediaType
}

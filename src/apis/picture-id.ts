import { notYours } from '../dropbox/pictures.ts'
import { possibleId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'

/**
 * The stored form of a PictureID: null for the empty one, which means no picture, and undefined for none.
 * @throws Malformed for one that cannot be of a picture.
 */
export function storedPictureId(vendor: Vendor, pictureId: string | undefined): string | null | undefined {
  if (pictureId === undefined) return undefined
  if (pictureId === '') return null
  const id = possibleId(vendor, pictureId)
  if (id === undefined) throw notYours()
  return id
}

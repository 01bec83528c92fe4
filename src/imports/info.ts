import type { Described } from './described.ts'
import { items, member, memberText, type Place, requiredText } from './place.ts'
import { Unreadable } from './unreadable.ts'

/** What Swagger 2.0 and OpenAPI say in `info`. */
export function infoOf(root: Place): Pick<Described, 'name' | 'version' | 'description'> {
  const info = member(root, 'info')
  if (!info) throw new Unreadable('is required', '/info')
  return {
    name: requiredText(info, 'title'),
    version: memberText(info, 'version'),
    description: memberText(info, 'description'),
  }
}

/** The tags that the document lists. */
export function tagsOf(root: Place): string[] {
  return items(member(root, 'tags')).map((tag) => requiredText(tag, 'name'))
}

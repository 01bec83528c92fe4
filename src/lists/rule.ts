import type { AccessRule } from '../access/rules.ts'

export const listRule: AccessRule = {
  signIn: 'optional',
  permission: 'None; the list holds what the caller has Read permission on.',
}

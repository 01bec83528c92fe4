import { Type } from 'typebox'
import { emailPattern, longestEmail } from '../email-address.ts'
import { about, readOnly, Text } from '../representation/formats.ts'

const roles = Type.Array(Text(40), { maxItems: 10 })
export const longestUserName = 200
// Commas and equals signs divide the members of the token, whose cookie browsers drop beyond 4096 bytes.
export const userNamePattern = `^[^,=;\\p{C}]{1,${longestUserName}}$`
const userNameForm = new RegExp(userNamePattern, 'u')

export function isUserName(text: string): boolean {
  return userNameForm.test(text)
}

const userName = Type.String({ pattern: userNamePattern })
const email = Type.String({ pattern: emailPattern, maxLength: longestEmail })
const readOnlyText = readOnly(Text(200))

/** A person to add. UserName is the e-mail address unless it is given. */
export const UserBody = Type.Object(
  {
    UserID: readOnlyText,
    UserName: Type.Optional(
      about(
        `The e-mail address unless it is given; required where that has more than ${longestUserName} characters.`,
        userName,
      ),
    ),
    Email: email,
    Password: Text(256, 8),
    Enabled: Type.Optional(Type.Boolean()),
    Role: Type.Optional(roles),
    LoginDomainID: readOnlyText,
    Created: readOnlyText,
    Updated: readOnlyText,
  },
  { title: 'UserBody', xml: { name: 'User' } },
)

export const User = Type.Object(
  {
    UserID: Type.String(),
    UserName: Type.String(),
    Email: Type.String(),
    Enabled: Type.Boolean(),
    Role: Type.Array(Type.String()),
    LoginDomainID: Type.String(),
    Created: Type.String({ format: 'date-time' }),
    Updated: Type.String({ format: 'date-time' }),
  },
  { title: 'User' },
)

// Whoever comes from another login domain has what that calls them, and perhaps no address.
const anyName = Text(320)

/** What may change of a user; what is absent stays. */
export const UserChange = Type.Object(
  {
    UserID: readOnlyText,
    UserName: Type.Optional(anyName),
    Email: Type.Optional(anyName),
    Password: Type.Optional(Text(256, 8)),
    Enabled: Type.Optional(Type.Boolean()),
    Role: readOnly(roles),
    LoginDomainID: readOnlyText,
    Created: readOnlyText,
    Updated: readOnlyText,
  },
  { title: 'UserChange', xml: { name: 'User' } },
)

export const Users = Type.Array(User, { title: 'Users' })

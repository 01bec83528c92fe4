import { Type } from 'typebox'
import {
  APIVersion,
  RatingSummary,
  ratingSummary,
  readOnlyId,
  readOnlyTime,
  Tags,
  VersionBody,
  VersionChange,
} from '../api-versions/schemas.ts'
import { readOnly, Text } from '../representation/formats.ts'

const apiText = { Name: Text(255, 1), Description: Type.Optional(Text(65_536)) }

const apiMembersTaken = {
  APIID: readOnlyId,
  ...apiText,
  Visibility: Type.Optional(Text(255)),
  LatestVersionID: readOnlyId,
  Tag: Type.Optional(Tags),
  IsFollowed: readOnly(Type.Boolean()),
  RatingSummary: ratingSummary,
  AdminGroupID: readOnlyId,
  Created: readOnlyTime,
  Updated: readOnlyTime,
  AvatarURL: readOnly(Text(2048)),
  PictureID: Type.Optional(Text(200)),
}

/** An API as a request carries it; what the service assigns may stand in it and is ignored. */
export const APIBody = Type.Object(
  { ...apiMembersTaken, APIVersion: VersionBody },
  { title: 'APIBody', xml: { name: 'API' } },
)

/** A change of an API: any of its members, with one version to change or to add. */
export const APIChange = Type.Object(
  { ...apiMembersTaken, Name: Type.Optional(apiText.Name), APIVersion: Type.Optional(VersionChange) },
  { title: 'APIChange', xml: { name: 'API' } },
)

/** An API as answers carry it, with a version only where that was asked for; the latest one is that of the reader's lists. */
export const API = Type.Object(
  {
    APIID: Type.String(),
    ...apiText,
    Visibility: Type.String(),
    LatestVersionID: Type.Optional(Type.String()),
    Tag: Tags,
    IsFollowed: Type.Boolean(),
    RatingSummary,
    APIVersion: Type.Optional(APIVersion),
    AdminGroupID: Type.String(),
    Created: Type.String({ format: 'date-time' }),
    Updated: Type.String({ format: 'date-time' }),
    AvatarURL: Type.Optional(Type.String()),
    PictureID: Type.Optional(Type.String()),
  },
  { title: 'API' },
)

/** What people read of an API and one of its versions. */
export const APIVersionInfo = Type.Object(
  {
    ApiName: Type.Optional(Text(255, 1)),
    ApiSummary: Type.Optional(Text(1000)),
    ApiDescription: Type.Optional(Text(65_536)),
    VersionName: Type.Optional(Text(255, 1)),
    VersionNotes: Type.Optional(Text(65_536)),
    Tags: Type.Optional(Tags),
    Visibility: Type.Optional(Text(255)),
  },
  { title: 'APIVersionInfo' },
)

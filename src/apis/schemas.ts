import { Type } from 'typebox'
import {
  APIVersion,
  RatingSummary,
  ratingSummary,
  readOnlyId,
  readOnlyTime,
  Tags,
  VersionBody,
} from '../api-versions/schemas.ts'
import { readOnly, Text } from '../representation/formats.ts'

const apiText = { Name: Text(255, 1), Description: Type.Optional(Text(65_536)) }

/** An API as a request carries it; what the service assigns may stand in it and is ignored. */
export const APIBody = Type.Object(
  {
    APIID: readOnlyId,
    ...apiText,
    Visibility: Type.Optional(Text(255)),
    LatestVersionID: readOnlyId,
    Tag: Type.Optional(Tags),
    IsFollowed: readOnly(Type.Boolean()),
    RatingSummary: ratingSummary,
    APIVersion: VersionBody,
    AdminGroupID: readOnlyId,
    Created: readOnlyTime,
    Updated: readOnlyTime,
    AvatarURL: readOnly(Text(2048)),
    PictureID: Type.Optional(Text(200)),
  },
  { title: 'API' },
)

/** An API as answers carry it; with its latest version only where that was asked for. */
export const API = Type.Object(
  {
    APIID: Type.String(),
    ...apiText,
    Visibility: Type.String(),
    LatestVersionID: Type.String(),
    Tag: Tags,
    IsFollowed: Type.Boolean(),
    RatingSummary,
    APIVersion: Type.Optional(APIVersion),
    AdminGroupID: Type.String(),
    Created: Type.String({ format: 'date-time' }),
    Updated: Type.String({ format: 'date-time' }),
    PictureID: Type.Optional(Type.String()),
  },
  { title: 'API' },
)

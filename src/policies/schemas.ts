import { Type } from 'typebox'
import { Category } from '../lists/channel.ts'

/** A list of policies as a channel; `PolicyKey` and `PolicyType` are what a version says to name one. */
export const PolicyChannel = Type.Object(
  {
    channel: Type.Object({
      title: Type.String(),
      item: Type.Array(
        Type.Object({
          title: Type.String(),
          description: Type.String(),
          category: Type.Array(Category),
          guid: Type.Object({ value: Type.String() }),
          pubDate: Type.String(),
          PolicyKey: Type.String(),
          PolicyType: Type.String(),
        }),
      ),
    }),
    version: Type.String(),
  },
  { title: 'PolicyChannel', xml: { name: 'rss' } },
)

/** Does the work unless too much is under way already, of that key or in all. */
export type InFlight = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Keeps what takes long from being asked for ever more often; `refusal` is what the others are told. */
export function atMost(limits: { ofOneKey: number; inAll?: number }, refusal: () => Error): InFlight {
  const { ofOneKey, inAll = Number.POSITIVE_INFINITY } = limits
  const underWay = new Map<string, number>()
  let all = 0

  return async (key, work) => {
    const before = underWay.get(key) ?? 0
    if (before >= ofOneKey || all >= inAll) throw refusal()
    underWay.set(key, before + 1)
    all++
    try {
      return await work()
    } finally {
      const left = (underWay.get(key) ?? 1) - 1
      if (left > 0) underWay.set(key, left)
      else underWay.delete(key)
      all--
    }
  }
}

import { hash as argon2, verify as argon2Verify } from '@node-rs/argon2'
import { inTurnToHash } from './hashing.ts'

// argon2id, 19 MiB, two passes, one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const costs = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/

/** Hashes a password for storage. */
export function hashPassword(password: string): Promise<string> {
  return inTurnToHash(() => argon2(password, parameters))
}

// Verified in place of a hash that is not there, so that an unknown name takes as long as a wrong password. Nobody knows
// the password; the parameters are those above.
const dummyHash = '$argon2id$v=19$m=19456,t=2,p=1$0IG5Yw3hEdlbr0vBc98+5Q$5V325BhW/JxdbSQIoeQSzTz3qfmV275Yck8kmAZ3GPE'

/** Compares a password with a stored hash; without one, or with one whose cost we would not pay, takes as long and is false. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const usable = stored && isAffordable(stored)
  const matches = await inTurnToHash(() => argon2Verify(usable ? stored : dummyHash, password))
  return usable ? matches : false
}

function isAffordable(stored: string): boolean {
  const [, memory, passes, lanes] = costs.exec(stored) ?? []
  return Number(memory) <= 65_536 && Number(passes) <= 8 && Number(lanes) <= 4
}

/** Whether a stored hash was made with other parameters than are used today. */
export function isOutdated(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parameters
  return !stored.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`)
}

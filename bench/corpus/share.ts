import { parentPort, workerData } from 'node:worker_threads'
import type { Site } from './exchange.ts'
import { goThrough } from './go-through.ts'

/** What a thread is given to do. */
export interface Share {
  site: Site
  paths: string[]
}

const atOnce = 2
const { site, paths }: Share = workerData
const left = paths.values()

async function next(): Promise<void> {
  for (const path of left) parentPort?.postMessage(await goThrough(site, path))
}

await Promise.all(Array.from({ length: atOnce }, next))

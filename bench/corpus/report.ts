import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { project } from '../settings.ts'
import { source } from './documents.ts'
import type { Outcome } from './go-through.ts'

/** Writes how many went through, and why the others did not. */
export function printReport(outcomes: Outcome[], seconds: number): void {
  const valid = outcomes.filter(({ isValid }) => isValid)
  const isGood = ({ refused, problems }: Outcome) => refused === undefined && problems.length === 0
  const count = (list: Outcome[]) => `${list.filter(isGood).length} of ${list.length}`
  const sum = (figure: (outcome: Outcome) => number) => outcomes.reduce((all, each) => all + figure(each), 0)
  const lines = [
    '',
    `${source}: ${outcomes.length} documents, ${Math.round(sum(({ bytes }) => bytes) / 1e6)} MB, ${sum(({ operations }) => operations)} operations`,
    `went through: ${count(outcomes)}`,
    `went through of those that their official schema calls valid: ${count(valid)}`,
    `refused: ${outcomes.filter(({ refused }) => refused !== undefined).length}`,
    ...grouped(outcomes.flatMap((each) => (each.refused === undefined ? [] : [[reason(each.refused), each]]))),
    `taken, with something wrong: ${outcomes.filter(({ problems }) => problems.length > 0).length}`,
    ...grouped(outcomes.flatMap((each) => [...new Set(each.problems.map(reason))].map((why) => [why, each]))),
    `The run took ${Math.round(seconds)} s.`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Texts that differ in names and numbers only are one reason. */
function reason(text: string): string {
  return text
    .replace(/\/(?:paths|components|info|tags|servers)\/[^ ]*/g, '/...')
    .replace(/`[^`]*`|"[^"]{40,}"/g, '...')
    .replace(/(?<=\s)\d[\d,]*/g, 'N')
    .slice(0, 300)
}

function grouped(reasons: (string | Outcome)[][]): string[] {
  const groups = new Map<string, Outcome[]>()
  for (const [why, outcome] of reasons as [string, Outcome][]) groups.set(why, [...(groups.get(why) ?? []), outcome])
  return [...groups]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([why, list]) => {
      const [first] = list as [Outcome]
      return `  ${list.length} (${list.filter(({ isValid }) => isValid).length} valid): ${why}, as ${first.path.replace(/.*\/package\/api\//, '')}`
    })
}

/** Keeps what became of each document in bench/results. */
export function saveReport(outcomes: Outcome[], folder: string): void {
  const results = join(project, 'bench/results')
  mkdirSync(results, { recursive: true })
  const file = join(results, `corpus-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`)
  const said = outcomes.map((each) => ({ ...each, path: relative(folder, each.path) }))
  writeFileSync(file, `${JSON.stringify(said, null, 2)}\n`)
  process.stdout.write(`Each document stands in ${file}\n`)
}

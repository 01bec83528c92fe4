import { readFileSync } from 'node:fs'
import { projectFolder } from './project-folder.ts'

/** The version of this program. */
export const programVersion: string = JSON.parse(readFileSync(new URL('package.json', projectFolder), 'utf8')).version

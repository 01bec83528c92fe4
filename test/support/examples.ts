import { readFileSync } from 'node:fs'

const read = (name: string) => readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8')

/** The documents that README sends. */
export const exampleApi = () => JSON.parse(read('api.json'))
export const exampleVersion = () => JSON.parse(read('version.json'))
export const exampleApiXml = () => read('api.xml')
export const exampleVersionXml = () => read('version.xml')

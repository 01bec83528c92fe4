/** The project's folder: package.json, migrations and examples are there, above src as above what is built of it. */
export const projectFolder = new URL('../', import.meta.url)

import type { Headers } from './client.ts'
import { farPages } from './settings.ts'

const rowsOfPage = 20
const mostRows = 100

/** Goes through the list of APIs by its cursors, in the largest steps, to the path of the page that lies far on. */
export async function findFarPage(url: string, headers: Headers): Promise<string> {
  let path: string | undefined = `/api/apis?count=${mostRows}`
  let page = '/api/apis'
  for (let rows = mostRows; path && rows <= farPages * rowsOfPage; rows += mostRows) {
    path = await nextPath(url, path, headers)
    if (path) page = path.replace(`count=${mostRows}`, `count=${rowsOfPage}`)
  }
  return page
}

/** @throws Error when the answer is not 2xx. */
async function nextPath(url: string, path: string, headers: Headers): Promise<string | undefined> {
  const answer = await fetch(url + path, { headers })
  await answer.text()
  if (!answer.ok) throw new Error(`GET ${path} was answered ${answer.status}`)
  return /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
}

import { expect } from 'vitest'
import type { Answer } from './client.ts'

const members = ['faultcode', 'faultstring', 'type', 'title', 'status', 'detail', 'instance']
export const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
}

/** The one shape of every error. */
export function expectFault(fault: Record<string, unknown>, status: number, code: string): void {
  expect(Object.keys(fault).filter((key) => key !== 'errors')).toEqual(members)
  const { faultstring } = fault
  expect(fault).toMatchObject({ faultcode: code, type: 'about:blank', title: titles[status], detail: faultstring })
  expect(faultstring).toMatch(/^[A-Z].*[.]$/s)
  expect(fault.instance).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
}

/** Tells nothing of the inside, and carries the headers that protect. */
export function expectPlain(answer: Answer): void {
  expect(answer.text).not.toMatch(/node_modules|SELECT|ECONN|22P|FST_|\.ts\b|\.js\b/i)
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
  })
  for (const name of ['server', 'x-powered-by', 'access-control-allow-origin'])
    expect(answer.headers[name]).toBeUndefined()
}

import { queries } from '../../engine/index.ts'
import { apiPath } from '../http/address.ts'

/** /.well-known/x402: the addresses of paid resources, for x402 catalogues. */
export const x402Resources = (base_url: string): string => {
  const paid = queries.filter(({ group }) => group !== 'public')
  const paths = [...paid.map(apiPath), '/v1/batch']
  const resources = paths.map((path) => `${base_url}${path}`)
  return JSON.stringify({ version: 1, resources, instructions: `${base_url}/llms.txt` })
}

/** /favicon.ico: a price tag. */
export const favicon = (): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b6e4f" d="M4 4h13l11 11-13 13L4 17z"/>' +
  '<circle cx="10" cy="10" r="2.5" fill="#fff"/></svg>'

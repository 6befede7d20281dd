import { IncomingMessage } from 'node:http'

/** A request within the process, for `app.inject`: `headersDistinct` of Node reads what only a parser of HTTP sets. */
export class InjectedRequest extends IncomingMessage {}

Object.defineProperty(InjectedRequest.prototype, 'headersDistinct', {
  get(this: IncomingMessage) {
    return Object.fromEntries(Object.entries(this.headers).map(([name, value]) => [name, [value ?? []].flat()]))
  },
})

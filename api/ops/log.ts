import { type DestinationStream, type Logger, pino } from 'pino'

/** Headers that are never logged, since they contain credentials. */
const SECRETS = ['authorization', 'payment-authorization', 'payment-signature', 'x-payment', 'cookie']

/** Writes JSON lines, to standard output by default. */
export const createLogger = (level: string, destination?: DestinationStream): Logger =>
  pino({ level, redact: SECRETS.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`]) }, destination)

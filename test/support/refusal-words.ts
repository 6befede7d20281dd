import { expect } from 'vitest'
import { EngineError } from '../../engine/index.ts'

/** What zod says by default, in every form of it: words for programmers, without what to send instead. */
export const zodWords =
  /Invalid (input|option|string|ISO|URL|email|key|element|JSON)|Too (small|big)|expected (string|number|int|nan|boolean|date|array|object|record|undefined|custom)\b|\breceived\b|Unrecognized key|Must be|must (start|end|include|match)/

/** Holds a refusal of parameters to words of our own: each message names its parameter and what to send instead. */
export const expectNoZodWords = (error: unknown, parameter?: string): void => {
  expect(error).toBeInstanceOf(EngineError)
  const { code, message, details } = error as EngineError
  expect(code).toBe('INVALID_PARAMS')
  if (parameter !== undefined) expect(message.startsWith(`${parameter}: `), message).toBe(true)
  const issues = (details.issues ?? []) as { parameter: string; message: string }[]
  for (const text of [message, ...issues.map((issue) => issue.message)]) {
    expect(text).not.toMatch(zodWords)
    expect(text).toMatch(/expected|send|it accepts/)
  }
}

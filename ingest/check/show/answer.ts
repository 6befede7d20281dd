import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { EngineError } from '../../../engine/index.ts'
import type { CheckResult } from '../check.ts'
import { type Answers, answerProblem, guessNotes, nextCommand, type Question, withAnswers } from './questions.ts'

/** Asks on a terminal until the answer can be used; an empty one takes the default. NOT_READY for Ctrl-C and Ctrl-D. */
const askAll = async (
  questions: readonly Question[],
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<Answers> => {
  const terminal = createInterface({ input, output })
  const closed = new AbortController()
  terminal.once('close', () => closed.abort())
  const answers: Answers = {}
  try {
    for (const { key, text, default: preset, is_guess } of questions)
      for (let problem: string | null = ''; problem !== null; ) {
        const answer =
          (await terminal.question(`${text} [${preset}${is_guess ? ', a guess' : ''}]: `, closed)).trim() || preset
        problem = answerProblem(key, answer)
        answers[key] = answer
        if (problem !== null) output.write(`  ${problem}\n`)
      }
    return answers
  } catch (cause) {
    output.write('\n')
    throw closed.signal.aborted ? new EngineError('NOT_READY', 'cancelled; no mapping is written') : cause
  } finally {
    terminal.close()
  }
}

/** A name that no file has: a mapping is never overwritten. */
const freeName = (): string => {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'mapping.json' : `mapping-${number}.json`
    if (!existsSync(name)) return name
  }
}

type AnswerOptions = { isYes: boolean; input?: NodeJS.ReadableStream; output?: NodeJS.WritableStream }

/**
 * Completes a proposed mapping by the answers to its questions, or by their defaults, and writes it into the working
 * folder. Returns its name, the command to run next and what was guessed; null without a mapping of prices.
 */
export const saveMapping = async (
  { mapping, groups, questions, root }: CheckResult,
  { isYes, input = process.stdin, output = process.stderr }: AnswerOptions,
): Promise<{ file: string; next: string; mapping: CheckResult['mapping']; guesses: string[] } | null> => {
  if (mapping === null || Object.keys(mapping).length === 0) return null
  const defaults = Object.fromEntries(questions.map(({ key, default: preset }) => [key, preset]))
  const answers = isYes ? defaults : await askAll(questions, input, output)
  const guesses = isYes ? guessNotes(questions) : []
  const file = freeName()
  const completed = withAnswers(mapping, groups, answers, guesses)
  await writeFile(file, `${JSON.stringify(completed, null, 2)}\n`, { flag: 'wx' })
  return { file, next: nextCommand(root, file), mapping: completed, guesses }
}

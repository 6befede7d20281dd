import { commandLine } from '../../../engine/index.ts'

/** The command that reads the files with a mapping. */
export const nextCommand = (root: string, mapping: string): string =>
  commandLine('refresh', `--feeds ${/\s/.test(root) ? JSON.stringify(root) : root} --mapping ${mapping}`)

import { spawnSync } from 'node:child_process'

// A process in namespaces of its own ends with the command that made them.
const NAMESPACES = ['--pid', '--fork', '--kill-child', '--mount-proc', '--net']
const commands = [
  ['unshare', ...NAMESPACES],
  ['unshare', '--user', '--map-root-user', ...NAMESPACES],
]
const isPermitted = ([command, ...options]: string[]) => spawnSync(command!, [...options, 'true']).status === 0

/** What to run a command with for process and network namespaces of its own; undefined where the system forbids it. */
export const container: readonly string[] | undefined = commands.find(isPermitted)

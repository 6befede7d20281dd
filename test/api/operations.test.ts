import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig, settings } from '../../api/ops/config.ts'
import { temporaryFolder } from '../support/given.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const operations = (name: string): string => read(`api/operations/${name}`)
const files = [
  'shelfmark.service',
  'nginx.conf',
  'Caddyfile',
  'Containerfile',
  'README.md',
  'replicas.md',
  'cluster.md',
]

const has = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0
const unless = (is: boolean, command: string): string => (is ? '' : ` (skipped: ${command} is not installed)`)
const run = (command: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args)
  return { status, said: `${stdout}${stderr}` }
}

test.each(files)('%s names only settings that exist', (name) => {
  const named = [...operations(name).matchAll(/SHELFMARK_[A-Z_]+/g)].map(([setting]) => setting)
  expect(named.filter((setting) => !(setting in settings.shape))).toEqual([])
})

describe('the proxy configurations', () => {
  const { timeout_ms, settle_ms } = readConfig({})
  const longest = (timeout_ms + 2 * settle_ms) / 1000

  test('wait as long as an answer may take', () => {
    expect(Number(/proxy_read_timeout (\d+)s/.exec(operations('nginx.conf'))?.[1])).toBeGreaterThan(longest)
    expect(Number(/response_header_timeout (\d+)s/.exec(operations('Caddyfile'))?.[1])).toBeGreaterThan(longest)
  })

  test.each(['nginx.conf', 'Caddyfile'])('close idle connections before the service does: %s', (name) => {
    const text = operations(name)
    const idle = Number(/SHELFMARK_IDLE_MS=(\d+)/.exec(text)?.[1])
    expect(idle).toBeGreaterThan(1000 * Number(/keepalive(?:_timeout)? (\d+)s/.exec(text)?.[1]))
  })

  test('forward to the port that the service binds', () => {
    const { port } = readConfig({})
    for (const name of ['nginx.conf', 'Caddyfile']) expect(operations(name)).toContain(`127.0.0.1:${port}`)
    expect(operations('Containerfile')).toContain(`EXPOSE ${port}`)
  })
})

const isNginx = has('nginx', '-v') && has('openssl', 'version')
test.runIf(isNginx)(`nginx accepts its configuration${unless(isNginx, 'nginx')}`, async () => {
  const folder = await temporaryFolder()
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const issued = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    certificate,
    '-subj',
    '/CN=a',
  ]
  expect(run('openssl', ...issued).status).toBe(0)
  const site = operations('nginx.conf')
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
  const main = `pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${site} }`
  await writeFile(join(folder, 'nginx.conf'), main)
  const { status, said } = run('nginx', '-t', '-p', folder, '-c', join(folder, 'nginx.conf'))
  expect(said).not.toContain('[warn]')
  expect(status, said).toBe(0)
})

const isCaddy = has('caddy', 'version')
test.runIf(isCaddy)(`Caddy accepts its configuration${unless(isCaddy, 'caddy')}`, () => {
  const path = new URL('api/operations/Caddyfile', root).pathname
  const { status, said } = run('caddy', 'validate', '--adapter', 'caddyfile', '--config', path)
  expect(status, said).toBe(0)
})

const isSystemd = has('systemd-analyze', '--version')
test.runIf(isSystemd)(`systemd accepts the unit${unless(isSystemd, 'systemd-analyze')}`, async () => {
  // Where node is on this machine is not where it is on the other.
  const unit = join(await temporaryFolder(), 'shelfmark.service')
  await writeFile(unit, operations('shelfmark.service').replace('/usr/bin/node', process.execPath))
  const { status, said } = run('systemd-analyze', 'verify', unit)
  expect({ status, said }).toEqual({ status: 0, said: '' })
})

describe('the container image', () => {
  const steps = operations('Containerfile')
  const image = steps.slice(steps.lastIndexOf('FROM '))

  test('runs as an unprivileged user, with no later step as root', () => {
    expect(image).toMatch(/^USER 10001:10001$/m)
    expect(image.slice(image.indexOf('USER'))).not.toMatch(/^(RUN|COPY)/m)
  })

  test('starts the service by the path in package.json', () => {
    const { bin } = JSON.parse(read('package.json')) as { bin: Record<string, string> }
    expect(image).toContain(`CMD ["node", "${bin['shelfmark-serve']}"]`)
  })

  test('copies every compiled folder and no secret', () => {
    const { include } = JSON.parse(read('tsconfig.json')) as { include: string[] }
    for (const folder of include) expect(steps).toContain(`COPY ${folder.split('/')[0]} ./`)
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.env', 'node_modules', 'data/lake']))
  })
})

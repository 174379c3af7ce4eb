import { spawnSync } from 'node:child_process'
import { openSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { engineModel } from './answers.ts'
import { startChild } from './child-process.ts'
import { findFreePort, waitUntilReady } from './loopback.ts'
import { completionPath, type Target, type TargetContext, TargetUnavailableError } from './target.ts'

const program = 'nginx'

/** nginx as a plain keep-alive proxy with one worker: it does none of the gateway's work, and so is the bar. */
export async function startNginx(context: TargetContext): Promise<Target> {
  const version = nginxVersion()
  const port = await findFreePort()
  const file = join(context.folder, 'nginx.conf')
  writeFileSync(file, nginxConfig(context, port))
  const logFile = join(context.folder, 'nginx.log')
  const log = openSync(logFile, 'a')
  const child = startChild([program, '-e', 'stderr', '-p', context.folder, '-c', file], {
    processor: context.pinning.subject,
    stdio: ['ignore', log, log],
  })
  const readyMs = await waitUntilReady(child, `http://127.0.0.1:${port}/v1/models`, logFile)
  return {
    name: 'nginx',
    load: { host: '127.0.0.1', port, path: completionPath, authorization: '' },
    model: engineModel,
    isBilled: false,
    completed: 0,
    pid: child.pid,
    readyMs,
    version,
    async stop() {
      await child.stop()
      return []
    },
  }
}

function nginxVersion(): string {
  const { status, stderr } = spawnSync(program, ['-v'], { encoding: 'utf8' })
  if (status !== 0)
    throw new TargetUnavailableError('nginx is not installed (Debian, Ubuntu: apt-get install nginx-light)')
  return stderr.replace('nginx version:', '').trim()
}

/**
 * A plain proxy: defaults, except that connections are kept alive on both sides and never retired, that a 64 KB body
 * stays in memory, and that nothing is logged.
 */
function nginxConfig({ folder, enginePort }: TargetContext, port: number): string {
  const user = userInfo().username === 'root' ? 'user root root;' : ''
  return `${user}
worker_processes 1;
worker_rlimit_nofile 8192;
daemon off;
error_log stderr error;
pid ${folder}/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  tcp_nodelay on;
  keepalive_timeout 600s;
  keepalive_requests 1000000000;
  client_body_buffer_size 256k;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream engine {
    server 127.0.0.1:${enginePort};
    keepalive 2048;
    keepalive_requests 1000000000;
    keepalive_timeout 600s;
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://engine;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_read_timeout 600s;
    }
  }
}
`
}

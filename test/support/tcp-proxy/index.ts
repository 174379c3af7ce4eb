import { atEnd } from '../at-end.ts'
import { TcpProxy } from './tcp-proxy.ts'

export { TcpProxy } from './tcp-proxy.ts'

/** A proxy before a server on 127.0.0.1, closed when the test or, from a `beforeAll`, the file is over. */
export async function startTcpProxy(target: { readonly port: number }): Promise<TcpProxy> {
  const proxy = await TcpProxy.start(target)
  atEnd(() => proxy.close())
  return proxy
}

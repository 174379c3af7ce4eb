import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * Finds out that the address can be listened on, and which port it is where any will do, before processes are started that
 * are to share it.
 * @throws Error with the system's code when it cannot
 */
export async function reservePort({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
  const server = createServer().listen({ host, port, exclusive: true })
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return address.port
}

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:tls'

export interface UntrustedServer {
  /** `https://localhost:PORT/v1`, with a certificate for another name that nobody signed. */
  readonly url: string
  readonly port: number
  /** Finished handshakes: 0 as long as every peer checks certificates. */
  readonly handshakes: number
  /** What peers sent inside TLS: nothing, or a key has left the house. */
  readonly received: Buffer
  close(): Promise<void>
}

/** A TLS server whose certificate must not be accepted. It answers nothing. */
export async function startUntrustedServer(): Promise<UntrustedServer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const cert = selfSignedCertificate('engine.invalid', { privateKey, publicKey })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const sockets = new Set<Socket>()
  const pieces: Buffer[] = []
  let handshakes = 0
  const server = createServer({ key, cert }, socket => {
    handshakes += 1
    socket.on('data', bytes => pieces.push(bytes))
    socket.on('error', () => socket.destroy())
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://localhost:${port}/v1`,
    port,
    get handshakes() {
      return handshakes
    },
    get received() {
      return Buffer.concat(pieces)
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

const ECDSA_WITH_SHA256 = '06082a8648ce3d040302'
const COMMON_NAME = '0603550403'

/** A minimal X.509 v3 certificate in PEM, valid from 2020 to 2049. */
function selfSignedCertificate(name: string, keys: { privateKey: KeyObject; publicKey: KeyObject }): string {
  const algorithm = der(0x30, Buffer.from(ECDSA_WITH_SHA256, 'hex'))
  const nameParts = Buffer.concat([Buffer.from(COMMON_NAME, 'hex'), der(0x0c, Buffer.from(name))])
  const distinguishedName = der(0x30, der(0x31, der(0x30, nameParts)))
  const validity = der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')))
  const version = der(0xa0, der(0x02, Buffer.from([2])))
  const serial = der(0x02, Buffer.from([1]))
  const subjectKey = keys.publicKey.export({ type: 'spki', format: 'der' })
  const toSign = der(0x30, version, serial, algorithm, distinguishedName, validity, distinguishedName, subjectKey)
  const signature = sign('sha256', toSign, keys.privateKey)
  const certificate = der(0x30, toSign, algorithm, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** One DER value: tag, length, content. Lengths up to 65,535. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const length = content.length
  const prefix =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(prefix), content])
}

import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly content: Buffer | string
  /** What the headers claim that it inflates to; the truth by default. */
  readonly claimedBytes?: number
  /** Claims to be encrypted. */
  readonly encrypted?: boolean
}

const deflated = 8

/** A zip file, whose headers may lie, behind bytes of something else. */
export function zipFile(entries: readonly ZipEntry[], prefix: Buffer = Buffer.alloc(0)): Buffer {
  const locals: Buffer[] = [prefix]
  const directory: Buffer[] = []
  let offset = prefix.length
  for (const entry of entries) {
    const content = Buffer.from(entry.content)
    const name = Buffer.from(entry.name)
    const data = deflateRawSync(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(entry.encrypted === true ? 1 : 0, 2)
    fields.writeUInt16LE(deflated, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(data.length, 14)
    fields.writeUInt32LE(entry.claimedBytes ?? content.length, 18)
    fields.writeUInt16LE(name.length, 22)
    locals.push(Buffer.from('PK\u0003\u0004'), fields, name, data)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), fields, rest, name)
    offset += 30 + name.length + data.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  const count = Math.min(entries.length, 0xffff)
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(listing.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, listing, Buffer.from('PK\u0005\u0006'), end])
}

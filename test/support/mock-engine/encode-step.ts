import { STATUS_CODES } from 'node:http'
import type { HeaderList, HeadStep, Step } from './step.ts'

export function encodeHead(step: HeadStep): Buffer {
  const reason = STATUS_CODES[step.status] ?? 'Unknown'
  return Buffer.from(`HTTP/1.1 ${step.status} ${reason}\r\n${encodeHeaders(step.headers)}\r\n`, 'latin1')
}

function encodeHttpChunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

/** The bytes that a step puts on the wire; empty for steps that write nothing. */
export function encodeStep(step: Step, chunked: boolean): Buffer {
  switch (step.kind) {
    case 'head':
      return encodeHead(step)
    case 'raw':
      return step.bytes
    case 'payload':
      // An empty HTTP chunk would end the message.
      return chunked && step.bytes.length > 0 ? encodeHttpChunk(step.bytes) : step.bytes
    case 'complete':
      return Buffer.from(chunked ? `0\r\n${encodeHeaders(step.trailers)}\r\n` : '', 'latin1')
    default:
      return Buffer.alloc(0)
  }
}

function encodeHeaders(headers: HeaderList): string {
  return headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
}

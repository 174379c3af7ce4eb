import { expect, test } from 'vitest'
import type { z } from 'zod'
import {
  addressRange,
  credential,
  hostAndPort,
  httpUrl,
  limit,
  line,
  milliseconds,
  modelName,
  shortName,
  splitHostAndPort,
} from './fields.ts'

function accepts(schema: z.ZodType, values: readonly unknown[]): void {
  for (const value of values) expect(schema.safeParse(value).success, String(value)).toBe(true)
}

function refuses(schema: z.ZodType, values: readonly unknown[]): void {
  for (const value of values) expect(schema.safeParse(value).success, String(value)).toBe(false)
}

test('a limit is a whole number, where 0 means zero, or the word unlimited', () => {
  accepts(limit(), [0, 1, 1_000_000_000_000, 'unlimited'])
  refuses(limit(), [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 'Unlimited', 'none', '', '5', null, true])
})

test('a wait is never zero, because zero would read as for ever', () => {
  accepts(milliseconds(), [1, 86_400_000])
  refuses(milliseconds(), [0, -1, 1.5, 86_400_001])
})

test("a model's id has at most 200 characters without spaces or control characters, and no search suffix", () => {
  accepts(modelName(), ['venym/qwen-27b', 'llama3.2:latest', 'a', 'ü', 'x'.repeat(200)])
  refuses(modelName(), ['', 'a b', 'a\tb', 'a\u0000', 'a\u00a0b', 'x'.repeat(201), 'venym/qwen-27b:online'])
})

test('a short name fits into addresses, logs and metrics', () => {
  accepts(shortName(), ['gpu-a', 'A.b_c', '0'])
  refuses(shortName(), ['', '-a', 'a b', 'a/b', 'ü', 'x'.repeat(65)])
})

test('one line of text has no control characters', () => {
  accepts(line(), ['', 'Qwen 27B – schön'])
  refuses(line(), ['a\nb', 'a\u0007', 'x'.repeat(501)])
})

test('a credential fits into a header', () => {
  accepts(credential(), ['', 'sk-123_~'])
  refuses(credential(), ['a b', 'a\r\nb', 'ü', 'x'.repeat(4_001)])
})

test('an address is called over HTTP and holds no credentials', () => {
  accepts(httpUrl(), ['http://127.0.0.1:8000/v1', 'https://h', 'http://[::1]:1/'])
  refuses(httpUrl(), [
    '',
    'h:1',
    'ftp://h',
    'http://',
    'http://u:p@h',
    'http://u@h',
    'http://h/?k=1',
    'http://h/#f',
    'http://h:99999',
  ])
})

test('an address range is an IP address, or one with a prefix length', () => {
  accepts(addressRange(), ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0'])
  refuses(addressRange(), ['', 'localhost', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0/8'])
})

test('host:port is taken apart', () => {
  expect(splitHostAndPort('localhost:9090')).toEqual({ host: 'localhost', port: 9090 })
  expect(splitHostAndPort('[::1]:9090')).toEqual({ host: '::1', port: 9090 })
  refuses(hostAndPort(), ['', 'localhost', ':1', 'h:65536', '::1:9', 'http://h:1', 'h:1/x', 'a b:1'])
})

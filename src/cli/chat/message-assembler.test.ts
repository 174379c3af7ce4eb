import { describe, expect, it } from 'vitest'
import { createMessageAssembler } from './message-assembler.ts'

function messagesOf(lines: readonly (readonly [line: string, pasted: boolean])[]): (string | null)[] {
  const assembler = createMessageAssembler()
  return lines.map(([line, pasted]) => assembler.push(line, pasted))
}

const typed = (...lines: string[]) => messagesOf(lines.map(line => [line, false] as const))

describe('a message', () => {
  it('is a line', () => {
    expect(typed('hello', '', 'again')).toEqual(['hello', '', 'again'])
  })

  it('goes on after a backslash', () => {
    expect(typed('one\\', 'two\\', 'three', 'next')).toEqual([null, null, 'one\ntwo\nthree', 'next'])
  })

  it('is a block between three double quotes, which may stand on lines of their own', () => {
    expect(typed('"""', 'a', '', 'b', '"""', 'next')).toEqual([null, null, null, null, 'a\n\nb', 'next'])
    expect(typed('"""a', 'b"""')).toEqual([null, 'a\nb'])
    expect(typed('"""one line"""')).toEqual(['one line'])
    expect(typed('"""', '"""')).toEqual([null, ''])
  })

  it('keeps what was pasted together, up to the Enter that follows', () => {
    expect(
      messagesOf([
        ['a', true],
        ['b', true],
        ['c', false],
      ]),
    ).toEqual([null, null, 'a\nb\nc'])
  })

  it('can be given up half-way', () => {
    const assembler = createMessageAssembler()
    assembler.push('"""half', false)
    expect(assembler.isEmpty).toBe(false)
    assembler.reset()
    expect(assembler.isEmpty).toBe(true)
    expect(assembler.push('whole', false)).toBe('whole')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRobots } from './robots-rules.ts'

const robots = (text: string) => parseRobots(text, 'rialto')

describe('a robots.txt', () => {
  it.each([
    ['nothing at all', '', '/a', true],
    ['no rule for us', 'User-agent: other\nDisallow: /', '/a', true],
    ['all programs', 'User-agent: *\nDisallow: /', '/a', false],
    ['us, which goes before all programs', 'User-agent: *\nDisallow: /\nUser-agent: rialto\nDisallow: /b', '/a', true],
    ['us in other letters and with a version', 'USER-AGENT : Rialto/1.0 # us\nDISALLOW : /a', '/a/b', false],
    ['several agents with the same rules', 'User-agent: x\nUser-agent: rialto\n\nDisallow: /a', '/a', false],
    ['us twice', 'User-agent: rialto\nDisallow: /a\nUser-agent: rialto\nDisallow: /b', '/a', false],
    ['an empty rule', 'User-agent: *\nDisallow:', '/a', true],
    ['the longer rule', 'User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['two rules of one length', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
    ['a star', 'User-agent: *\nDisallow: /*/private', '/x/y/private/z', false],
    ['a star that finds nothing', 'User-agent: *\nDisallow: /*/private', '/private', true],
    ['an end', 'User-agent: *\nDisallow: /*.pdf$', '/a.pdf', false],
    ['an end that is none', 'User-agent: *\nDisallow: /*.pdf$', '/a.pdf?x', true],
    ['an end without a star', 'User-agent: *\nDisallow: /a$', '/ab', true],
    ['a query', 'User-agent: *\nDisallow: /*?id=', '/a?id=1', false],
    ['letters beyond ASCII', 'User-agent: *\nDisallow: /ä', '/%C3%A4/b', false],
    ['codes of plain letters', 'User-agent: *\nDisallow: /%61%2f', '/a%2Fb', false],
    ['a rule without its slash', 'User-agent: *\nDisallow: private', '/private', false],
    ['old line ends and a mark before all', '\ufeffUser-agent: *\rDisallow: /a\r\nAllow: /', '/a', false],
    ['a rule before any agent', 'Disallow: /\nUser-agent: *\nAllow: /', '/a', true],
    ['other lines between agents', 'User-agent: rialto\nCrawl-delay: 9\nDisallow: /a', '/a', false],
  ])('with %s', (_, text, path, isAllowed) => {
    expect(robots(text)(path)).toBe(isAllowed)
  })

  it('is read whatever it holds, in no time', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (text, path) => typeof robots(`User-agent: *\nDisallow: ${text}`)(path) === 'boolean',
      ),
    )
  })

  it.each([
    ['stars', `Disallow: /${'*a'.repeat(1_000)}$\n`],
    ['patterns that nearly fit everywhere', `Disallow: /*${'a'.repeat(500)}b${'a'.repeat(500)}\n`],
    ['letters that take three codes each', `Disallow: /${'é'.repeat(900)}\n`],
    ['groups', 'User-agent: *\nAllow: /\n'],
    ['agents', 'User-agent: a\n'],
    ['line ends', '\n'],
  ])('of %s keeps nobody waiting', (_, piece) => {
    const text = `User-agent: *\n${piece.repeat(Math.ceil(524_288 / piece.length))}`
    const path = `/${'a'.repeat(8_000)}`
    const startedMs = performance.now()
    const mayVisit = robots(text)
    for (let times = 0; times < 3; times += 1) mayVisit(path)
    expect(performance.now() - startedMs).toBeLessThan(2_000)
  })

  it('forbids what cannot be compared with its rules in good time', () => {
    const text = `User-agent: *\n${`Disallow: /*${'b'.repeat(1_000)}\n`.repeat(500)}`
    expect(robots(text)(`/${'a'.repeat(8_000)}`)).toBe(false)
    expect(robots(text)('/a')).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import type { DocumentChange } from './change-document.ts'
import { decodeConfiguration, publishIfNew, publishOver, publishText } from './published-configuration.ts'
import type { SharedDocument } from './types.ts'

const own = (fingerprint: string) => ({ text: `text of ${fingerprint}`, changedSeconds: 5, fingerprint })

/** The document after a change, or as it was. */
function changed(found: SharedDocument | null, { content }: DocumentChange<unknown>): SharedDocument | null {
  return content === null ? found : { name: 'configuration', version: 1, content }
}

function publishAll(...fingerprints: string[]): SharedDocument | null {
  return fingerprints.reduce<SharedDocument | null>(
    (found, text) => changed(found, publishText(found, own(text))),
    null,
  )
}

const inForce = (found: SharedDocument | null) => decodeConfiguration(found?.content ?? Buffer.alloc(0)).text

describe('the published configuration', () => {
  it('is what was published last, with references as they were written', () => {
    const found = publishAll('a', 'b')
    expect(decodeConfiguration(found?.content ?? Buffer.alloc(0))).toEqual({ ...own('b'), earlier: ['a'] })
  })

  it('stays when a gateway starts with a text that was published earlier, or with the same', () => {
    const found = publishAll('a', 'b')
    expect(publishIfNew(found, own('a'))).toEqual({ content: null, outcome: 'earlier' })
    expect(publishIfNew(found, own('b'))).toEqual({ content: null, outcome: 'same' })
  })

  it('is a new text of a gateway that starts, and the first one that there is', () => {
    const first = changed(null, publishIfNew(null, own('a')))
    expect(inForce(first)).toBe('text of a')
    expect(inForce(changed(first, publishIfNew(first, own('b'))))).toBe('text of b')
  })

  it('can be an earlier one again, when somebody says so', () => {
    const found = publishAll('a', 'b', 'a')
    expect(inForce(found)).toBe('text of a')
    expect(publishIfNew(found, own('b')).outcome).toBe('earlier')
    expect(publishText(found, own('a'))).toEqual({ content: null, outcome: false })
  })

  it('remembers a hundred texts', () => {
    const found = publishAll(...Array.from({ length: 102 }, (_, index) => String(index)))
    expect(publishIfNew(found, own('0')).outcome).toBe('new')
    expect(publishIfNew(found, own('1')).outcome).toBe('earlier')
  })

  it.each([
    ['that was stored under another secret', null, 'RIALTO_SECRET'],
    ['of another form', Buffer.from('{"text":1}'), 'a form that this version does not know'],
    ['that is no JSON', Buffer.from('{'), 'unexpected end'],
  ])('%s is neither replaced nor taken for none, unless somebody says so', (_, content, message) => {
    const found = { name: 'configuration', version: 1, content }
    expect(publishIfNew(found, own('a'))).toEqual({ content: null, outcome: 'unreadable' })
    expect(() => publishText(found, own('a'))).toThrow(message)
    expect(inForce(changed(found, publishOver(found, own('a'))))).toBe('text of a')
  })
})

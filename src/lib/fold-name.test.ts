import { describe, expect, it } from 'vitest'
import { foldName } from './fold-name.ts'

describe('foldName', () => {
  it.each(['model', 'Model', 'MODEL', 'mOdEl'])('%s is model', name => {
    expect(foldName(name)).toBe('model')
  })

  it.each(['max_to\u212aens', 'MAX_TOKEN\u017f'])(
    '%s is max_tokens, as readers with Unicode case folding take it',
    name => {
      expect(foldName(name)).toBe('max_tokens')
    },
  )

  it.each(['max-tokens', 'max_tokens ', 'maxtokens', ''])('%j is another name', name => {
    expect(foldName(name)).not.toBe('max_tokens')
  })
})

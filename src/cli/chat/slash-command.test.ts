import { describe, expect, it } from 'vitest'
import { completeLine, parseSlashCommand } from './slash-command.ts'

describe('a line that begins with a slash', () => {
  it.each([
    ['/help', { name: 'help', rest: '' }],
    ['/model  a/b ', { name: 'model', rest: 'a/b' }],
    ['/system Be brief.\nAnd kind.', { name: 'system', rest: 'Be brief.\nAnd kind.' }],
    ['/quit', { name: 'exit', rest: '' }],
    ['/modl', { name: null, word: 'modl', meant: 'model' }],
    ['/etc/hosts', { name: null, word: 'etc/hosts', meant: null }],
    ['/', { name: null, word: '', meant: null }],
  ])('%j is a command', (line, command) => {
    expect(parseSlashCommand(line)).toEqual(command)
  })

  it.each(['hello', ' /help', 'a /help'])('%j is a message', line => {
    expect(parseSlashCommand(line)).toBeNull()
  })
})

describe('the tab key', () => {
  const models = ['venym/qwen-27b', 'venym/glm-flash', 'other']

  it('completes commands, with a space before what they take', () => {
    expect(completeLine('/e', models)).toEqual([['/exit'], '/e'])
    expect(completeLine('/s', models)).toEqual([['/system ', '/save '], '/s'])
  })

  it('completes models after /model', () => {
    expect(completeLine('/model venym/q', models)).toEqual([['venym/qwen-27b'], 'venym/q'])
    expect(completeLine('/model ', models)).toEqual([models, ''])
  })

  it('leaves messages alone', () => {
    expect(completeLine('tell me', models)).toEqual([[], 'tell me'])
  })
})

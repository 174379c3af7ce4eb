import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { presetDeniedKeys } from './engine-presets.ts'

/** The table `| preset | removed keys |` of the operators' page. */
function documentedKeys(): Record<string, string[]> {
  const page = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
  const section = page.split('### Keys that never reach an engine')[1]?.split('\n## ')[0] ?? ''
  const rows = section.matchAll(/^\| `(\w+)` +\| (.+) \|$/gm)
  return Object.fromEntries(
    [...rows].map(([, preset, keys = '']) => [preset, [...keys.matchAll(/`([^`]+)`/g)].map(([, key]) => key)]),
  )
}

describe('the keys that a preset removes', () => {
  it('are those that the documentation lists', () => {
    const lists = Object.entries(presetDeniedKeys).map(([preset, keys]) => [preset, [...keys]])
    expect(documentedKeys()).toEqual(Object.fromEntries(lists))
  })

  it('are never members that an answer cannot do without', () => {
    const needed = [
      'model',
      'messages',
      'stream',
      'n',
      'temperature',
      'top_p',
      'seed',
      'stop',
      'tools',
      'tool_choice',
      'response_format',
    ]
    for (const keys of Object.values(presetDeniedKeys)) expect(needed.filter(key => keys.has(key))).toEqual([])
  })
})

import { expect, test } from 'vitest'
import { loadCharacters } from './load-characters.ts'

const sage = 'slug: demo-sage\nname: Demo Sage\nsystemPrompt: You are calm.\n'

function load(...texts: string[]) {
  return loadCharacters(
    texts.map((text, index) => ({ path: `/characters/${index}.yaml`, text, createdMs: 1, changedMs: 2 })),
  )
}

test('a character needs a slug, a name and a prompt; the rest has defaults', () => {
  expect(load(sage)).toEqual([
    {
      slug: 'demo-sage',
      name: 'Demo Sage',
      description: '',
      systemPrompt: 'You are calm.',
      contextMessages: [],
      customSystemPrompt: false,
      modelId: null,
      tags: [],
      adult: false,
      featured: false,
      webEnabled: false,
      createdAtMs: 1,
      updatedAtMs: 2,
    },
  ])
})

test('everything can be said, and no word of a prompt is taken for a reference', () => {
  const text = `${sage.replace('You are calm.', "'You own ${HOME}.'")}description: |
  Two
  lines.
contextMessages:
  - { role: user, content: Hello }
  - { role: assistant, content: "Breathe." }
customSystemPrompt: true
modelId: demo/small
tags: [calm, old]
adult: true
featured: true
webEnabled: true
`
  expect(load(text)[0]).toMatchObject({
    systemPrompt: 'You own ${HOME}.',
    description: 'Two\nlines.\n',
    contextMessages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Breathe.' },
    ],
    customSystemPrompt: true,
    modelId: 'demo/small',
    tags: ['calm', 'old'],
    adult: true,
    featured: true,
    webEnabled: true,
  })
})

const long = (length: number) => 'x'.repeat(length)

test.each([
  ['nothing', '', '1:1  slug is missing'],
  ['no mapping', '- a', '1:1  the file must be a section with keys'],
  ['broken YAML', 'slug: [', 'is not valid YAML'],
  ['a key twice', `${sage}name: Again\n`, '4:1  name is set twice'],
  ['a slug with other signs', sage.replace('demo-sage', 'Demo_Sage'), '1:1  slug must be 1 to 100 of a-z, 0-9 and -'],
  ['a long slug', sage.replace('demo-sage', long(101)), 'slug must be'],
  ['an empty name', sage.replace('Demo Sage', '""'), '2:1  name must not be empty'],
  ['a long name', sage.replace('Demo Sage', long(101)), 'name must have at most 100 characters'],
  ['a long description', `${sage}description: ${long(2_001)}\n`, 'description must have at most 2000 characters'],
  ['an empty prompt', sage.replace('You are calm.', '""'), 'systemPrompt must not be empty'],
  ['a long prompt', sage.replace('You are calm.', long(100_001)), 'systemPrompt must have at most 100000 characters'],
  ['another role', `${sage}contextMessages: [{ role: system, content: x }]\n`, 'role must be user or assistant'],
  ['a message without text', `${sage}contextMessages: [{ role: user }]\n`, 'content is missing'],
  ['many messages', `${sage}contextMessages: [${'{ role: user, content: x },'.repeat(51)}]\n`, 'at most 50 entries'],
  ['many tags', `${sage}tags: [${'x,'.repeat(21)}]\n`, 'tags must have at most 20 entries'],
  ['a long tag', `${sage}tags: [${long(101)}]\n`, 'must have at most 100 characters'],
  ['a word for a flag', `${sage}adult: maybe\n`, '4:1  adult must be true or false'],
  ['an unknown key', `${sage}systemprompt: x\n`, '4:1  systemprompt is not a known key of a character'],
])('a file with %s is refused', (_, text, message) => {
  expect(() => load(text)).toThrow(message)
})

test('two files cannot describe characters of one slug; the second one is named with the first', () => {
  expect(() => load(sage, sage)).toThrow('/characters/1.yaml:1:1  slug is taken by /characters/0.yaml')
})

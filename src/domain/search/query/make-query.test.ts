import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCpuMs } from '../../../../test/support/lapse.ts'
import { makeQuery, type Turn } from './make-query.ts'

const user = (text: string): Turn => ({ role: 'user', text })
const model = (text: string): Turn => ({ role: 'assistant', text })
const queryOf = (...turns: Turn[]) => makeQuery(turns)?.query ?? null

test.each([
  ['Who won the Nobel Prize in Physics in 2023?', 'and in 2024?', 'Who won the Nobel Prize in Physics in 2024'],
  ['What is the population of France?', 'and Germany?', 'What is the population of Germany'],
  ['Who is the CEO of OpenAI?', 'What about Anthropic?', 'Who is the CEO of Anthropic'],
  ['¿Quién ganó la Liga en 2023?', '¿y en 2024?', '¿Quién ganó la Liga en 2024'],
  ['Wer gewann die Wahl 2021?', 'und 2025?', 'Wer gewann die Wahl 2025'],
  ['Qui a gagné le Tour en 2022 ?', 'et en 2023 ?', 'Qui a gagné le Tour en 2023'],
  ['2023年诺贝尔物理学奖得主是谁?', '那2024年呢?', '2024年诺贝尔物理学奖得主是谁'],
  ['2023年のノーベル物理学賞は誰?', 'では2024年は?', '2024年のノーベル物理学賞は誰'],
])('"%s" and then "%s" searches "%s"', (first, followUp, expected) => {
  expect(queryOf(user(first), model('Somebody did.'), user(followUp))).toBe(expected)
})

test('a follow-up of a follow-up keeps the subject', () => {
  const turns = [user('Who won the Tour de France in 2021?'), model('Tadej Pogačar.'), user('and in 2022?')]
  expect(queryOf(...turns, model('Jonas Vingegaard.'), user('and in 2023?'))).toBe('Who won the Tour de France in 2023')
})

test('a word such as "he" stands for the name that the answer gave', () => {
  const query = queryOf(user('Who is the president of France?'), model('Emmanuel Macron is.'), user('How old is he?'))
  expect(query).toContain('Emmanuel Macron')
  expect(query).toContain('How old is he')
})

test('a question that stands by itself takes nothing of what was said before', () => {
  const turns = [user('My salary is 91,000 and I live at Rosenweg 5.'), model('Noted.')]
  expect(queryOf(...turns, user('What is the latest stable version of PostgreSQL?'))).toBe(
    'What is the latest stable version of PostgreSQL?',
  )
})

test('what says nothing is left out', () => {
  expect(queryOf(user('Hello, can you tell me who won the marathon yesterday, please?'))).toBe(
    'who won the marathon yesterday, please?',
  )
  expect(queryOf(user('帮我查一下上海今天的天气'))).toBe('上海今天的天气')
})

const secrets = [
  'jane.doe@example.com',
  '+49 170 1234567',
  'DE89 3704 0044 0532 0130 00',
  '4111 1111 1111 1111',
  'sk-proj-abcdefghijklmnop1234',
  'vk-0123456789abcdef0123456789abcdef',
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'AKIAIOSFODNN7EXAMPLE',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  '0f8fad5bd9cb469fa16570867728950e',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==',
  'password: hunter2',
  '```\nconst secret = 1\n```',
  '078-05-1120',
]

test.each(secrets)('%s never reaches a provider', secret => {
  const query = queryOf(user(`Why does ${secret} fail with the newest OpenSSL?`))
  expect(query).not.toContain(secret)
  for (const part of secret.split(/[\s:]+/).filter(piece => /\d/.test(piece))) expect(query).not.toContain(part)
  expect(query).toContain('OpenSSL')
})

test('of an address only the public host is left', () => {
  expect(queryOf(user('What is new on https://user:pw@blog.example.org:8443/private/42?token=abc ?'))).toBe(
    'What is new on blog.example.org ?',
  )
  expect(queryOf(user('Why is http://db.corp.internal/x down today?'))).not.toContain('internal')
})

test('a long message is cut to its questions', () => {
  const story = 'We moved the whole cluster over the weekend and nothing went as planned. '.repeat(40)
  const query = queryOf(user(`${story} Which Kubernetes version dropped PodSecurityPolicy? ${story}`))
  expect(query).toBe('Which Kubernetes version dropped PodSecurityPolicy?')
})

test('the question behind a text of any length is found, and the code in the text is not', () => {
  const code = `\`\`\`\n${'const password = 1;\n'.repeat(4_000)}\`\`\`\n`
  const question = 'Which Kubernetes version dropped PodSecurityPolicy?'
  const query = queryOf(user(`It says:\n${code}and ${code}${'It went on. '.repeat(300)}${question}`))
  expect(query).toBe(question)
})

test('there is no query where nothing is asked', () => {
  expect(makeQuery([])).toBeNull()
  expect(makeQuery([model('Hello')])).toBeNull()
  expect(makeQuery([user('```\ncode\n```')])).toBeNull()
  expect(makeQuery([user('👍 ?!')])).toBeNull()
})

test('news of today are wished to be of today', () => {
  expect(makeQuery([user('What are the news today?')])).toMatchObject({ freshness: 'day', language: 'en' })
  expect(makeQuery([user('本周的新闻')])).toMatchObject({ freshness: 'week', language: 'zh' })
  expect(makeQuery([user('weather today')])).toMatchObject({ freshness: null })
})

test('a query has 1 to 400 characters whatever was said, and is made quickly', () => {
  const turn = fc.record({
    role: fc.constantFrom<Turn['role']>('user', 'assistant'),
    text: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3_000 }),
      fc.constantFrom('and in 2024?', '那呢?', ...secrets),
      fc
        .tuple(
          fc.constantFrom(' a', '1-', '/', '`', '@a.', 'A A ', '+1 ', 'eyJ.', 'data:x/', 'b@c', ', '),
          fc.nat(20_000),
        )
        .map(([piece, count]) => piece.repeat(count).slice(0, 50_000)),
    ),
  })
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 8 }), turns => {
      const spentMs = countCpuMs()
      const made = makeQuery(turns)
      expect(spentMs()).toBeLessThan(1_000)
      if (made === null) return
      expect(made.query.length).toBeGreaterThan(0)
      expect(made.query.length).toBeLessThanOrEqual(400)
    }),
    { numRuns: 300 },
  )
})

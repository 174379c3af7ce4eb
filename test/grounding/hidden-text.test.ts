import { afterAll, describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { FileServer } from '../support/media/file-server.ts'

const server = await FileServer.start()
afterAll(() => server.close())

const gateway = useGateway({ settings: { fetch: { allowHosts: [server.hostAndPort] }, cache: { pageSeconds: 0 } } })

const paragraph = 'A sentence that says something, and then says some more of it. '.repeat(8)
/** So deep that no main text is looked for. */
const depth = 220
const pages: Readonly<Record<string, (inside: string) => string>> = {
  'whose main text is found': inside =>
    `<html><head><title>Page</title></head><body><article><p>${paragraph}</p>${inside}</article></body></html>`,
  'that is read as a whole': inside =>
    `<html><body style="display:none"><p>${paragraph}</p>${'<div>'.repeat(depth)}${inside}</body></html>`,
}

const hidden = [
  'hidden',
  'aria-hidden="true"',
  'style="display:none"',
  'style="color:red; DISPLAY : none !important"',
  'style="visibility: hidden"',
  'style="font-size:0"',
  'style="font-size: 0.0px"',
  'style="font-size:1px"',
  'style="position:absolute; left:-9999px"',
  'style="text-indent:-999em"',
  'style="clip:rect(0,0,0,0)"',
  'style="color:#fff;background-color:#FFF"',
  'style="color: transparent"',
]
const shown = [
  'style="font-size:0.8em"',
  'style="font-size:10px"',
  'style="opacity:0"',
  'style="left:-10px"',
  'style="color:#fff;background:#000"',
  'style="display:block"',
  'aria-hidden="false"',
]

describe.each(Object.entries(pages))('a page %s', (_, page) => {
  it('says nothing that people do not see, and all that they see', async () => {
    const words = [
      ...hidden.map((how, at) => ({ how, word: `Hidden${at}` })),
      ...shown.map((how, at) => ({ how, word: `Shown${at}` })),
    ]
    const inside = words.map(({ how, word }) => `<p ${how}>${word} <b>more ${word}</b></p>`).join('\n')
    const url = server.put('/page', 'text/html; charset=utf-8', Buffer.from(page(inside)))
    const venice_parameters = { include_venice_system_prompt: false, enable_web_scraping: true }
    const body = JSON.stringify({ model: 'test/model', messages: [{ role: 'user', content: url }], venice_parameters })
    const { json } = await gateway.client.send('/api/v1/chat/completions', { method: 'POST', body })
    const echo = json['venice_parameters'] as { web_search_citations: { content: string }[] }
    const content = echo.web_search_citations[0]?.content ?? ''
    expect(words.filter(({ word }) => content.includes(word)).map(({ how }) => how)).toEqual(shown)
    expect(content).toContain('A sentence that says something')
  })
})

import { afterAll, describe, expect, it } from 'vitest'
import { nanoOf, priceOf, useGateway } from '../../support/gateway/index.ts'
import { accessTo, question } from '../clients-gateway.ts'
import { replyOf } from '../contract/outcomes.ts'
import { preparePython } from '../python/prepare-python.ts'
import { createPythonClient, openAiPythonTraits } from '../python/python-client.ts'
import { describeStrictClient } from './describe-strict-client.ts'
import { strictGateway, strictSurface } from './strict-gateway.ts'

const python = await preparePython()

if ('obstacle' in python) it.skip(`the Python client on the strict surface (skipped: ${python.obstacle})`)
else describePython(python.program)

function describePython(program: string): void {
  const gateway = useGateway(strictGateway)
  const openai = createPythonClient(program, 'openai_client')
  afterAll(() => openai.close())

  describeStrictClient('openai for Python', openai, {
    gateway,
    showsMessages: true,
    traits: openAiPythonTraits,
  })

  describe('openai for Python, beyond the contract', () => {
    it('sends venice_parameters in extra_body, and shows what took effect and what it cost', async () => {
      const asked = await openai.chatWithSettings(accessTo(gateway, 'main', strictSurface), question)
      const { settings, cost } = replyOf(asked)
      expect(settings).toMatchObject({ enable_web_search: 'auto', include_venice_system_prompt: false })
      expect(settings['web_search_citations']).toEqual([])
      expect(nanoOf(cost.usd)).toBe(priceOf({ prompt: 16, completion: 5 }))
    })
  })
}

import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { rialto, useInstallation } from './installation.ts'

const installation = useInstallation()

it.each(['publish', 'show'])('config %s says that a store in a file has nothing to publish', async verb => {
  await writeFile(installation.configFile, 'ownedBy: me\n')
  const { code, stdout, stderr } = await rialto(installation, ['config', verb])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('its gateway follows rialto.yaml itself, nothing is published')
})

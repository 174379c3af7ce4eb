import { defineCommand } from 'citty'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { encodeModel, renderModels } from '../model-row.ts'
import { print, printJson } from '../output.ts'

/** The catalogue as a gateway that starts now would have it: of the file, else of the engines that are found. */
export const modelsCommand = defineCommand({
  meta: { description: 'Lists the models with limits and prices.' },
  args: { ...configArgument, ...jsonArgument },
  async run({ args }) {
    const { openInstallation } = await import('../../app.ts')
    const { config } = await openInstallation({ configFile: args.config ?? null, discover: true, logTo: 'silent' })
    if (args.json === true) printJson(config.models.map(encodeModel))
    else print(config.models.length === 0 ? 'No models are configured.' : renderModels(config.models))
  },
})

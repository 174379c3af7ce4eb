import { z } from 'zod'
import { list, modelName } from './fields.ts'
import { whenValid } from './when-valid.ts'

const flag = () => z.boolean().default(false)

export const capabilitiesSchema = z
  .strictObject({
    functionCalling: flag().describe('Calls tools.'),
    responseSchema: flag().describe('Keeps to a JSON schema.'),
    reasoning: flag().describe('Thinks before it answers.'),
    reasoningEffort: flag().describe('Can be told how much to think.'),
    vision: flag().describe('Reads images.'),
    multipleImages: flag().describe('Reads several images.'),
    audioInput: flag().describe('Hears audio.'),
    videoInput: flag().describe('Watches video.'),
    logProbs: flag().describe('Reports the probabilities of tokens.'),
    webSearch: z.boolean().default(true).describe('May be given what was found on the web; false for never.'),
    xSearch: flag().describe('May be grounded on a search of X.'),
    e2ee: flag()
      .refine(takes => !takes, 'must be false or left out: this version refuses every encrypted request')
      .describe('Takes end-to-end encrypted prompts; no model does in this version.'),
    teeAttestation: flag().describe('Proves the trusted hardware that it runs on.'),
    optimizedForCode: flag().describe('Made for code.'),
    quantization: z
      .enum(['fp4', 'fp8', 'fp16', 'bf16', 'int8', 'int4', 'not-available'])
      .default('not-available')
      .describe('fp4, fp8, fp16, bf16, int8, int4 or not-available.'),
  })
  .prefault({})
  .describe('What it can do, as the catalogue shows it.')

const effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])

export const reasoningSchema = z
  .strictObject({
    efforts: list(effort, 7)
      .default([])
      .describe('Levels that it knows: none, minimal, low, medium, high, xhigh, max.'),
    default: effort.nullable().default(null).describe('The level when the caller names none.'),
    canDisable: z.boolean().default(false).describe('Whether thinking can be switched off.'),
  })
  .refine(reasoning => reasoning.default === null || reasoning.efforts.includes(reasoning.default), {
    path: ['default'],
    error: 'must be one of efforts',
    when: whenValid('efforts', 'default'),
  })
  .nullable()
  .default(null)
  .describe('How it thinks; null for a model that does not.')

export const deprecationSchema = z
  .strictObject({
    date: z.iso.date('must be a date such as 2027-01-31').describe('When it ends.'),
    successor: modelName().nullable().default(null).describe('The id of the model that takes its place.'),
    autoRemap: z.boolean().default(false).describe('true: from that day on the successor answers for it.'),
  })
  .nullable()
  .default(null)
  .describe('When and how it ends; null for a model that stays.')

import { z } from 'zod'
import { addressRange, credential, hostAndPort, httpUrl, line, list, whole } from './fields.ts'

export const serverSchema = z
  .strictObject({
    host: line(255)
      .min(1, 'must not be empty')
      .default('127.0.0.1')
      .describe('The address to listen on. 0.0.0.0 listens on every address of the machine.'),
    port: whole(0, 65_535).default(8402).describe('The port to listen on. 0 takes any free one.'),
    publicUrl: httpUrl()
      .optional()
      .describe('The address that callers use, when it differs from host and port.')
      .meta({ examples: ['http://127.0.0.1:8402'] }),
    trustProxy: list(addressRange(), 100)
      .default([])
      .describe('Proxies whose X-Forwarded-For is believed: IP addresses or ranges such as 10.0.0.0/8.'),
    regionHeader: z
      .string()
      .regex(/^([A-Za-z0-9-]{1,64})?$/, 'must be the name of a header, or empty')
      .default('')
      .describe(
        'The header in which those proxies say from which country a caller comes, such as cf-ipcountry. Empty: nobody says.',
      ),
    signInDomains: list(line(255), 100)
      .default([])
      .describe(
        'Domains for which a wallet may sign in, in a later version. Nothing that callers or pages name is fetched from them.',
      ),
  })
  .prefault({})
  .describe('Where the gateway listens, and who stands before it. A change needs a restart.')

export const storeSchema = line(2_000)
  .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'must be sqlite:FILE or postgres://user:password@host:5432/name')
  .optional()
  .describe('Where accounts, money and usage are kept: rialto.db in the data folder. A change needs a restart.')
  .meta({ examples: ['sqlite:data/rialto.db'] })

export const keysSchema = z
  .strictObject({
    prefix: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,15}$/, 'must be 1 to 16 of a-z, 0-9, - and _, and begin with a letter or a digit')
      .default('vk-')
      .describe('How every API key begins. A change needs a restart and leaves older keys invalid.'),
  })
  .prefault({})
  .describe('API keys.')

export const metricsSchema = z
  .strictObject({
    listen: z
      .union([z.literal(''), hostAndPort()], 'must be host:port, or empty')
      .default('')
      .describe(
        'host:port for /metrics without a token. Empty: /metrics on the main port, for the operator token only.',
      ),
  })
  .prefault({})
  .describe('Figures for Prometheus.')

export const adminSchema = z
  .strictObject({
    token: credential()
      .default('')
      .describe("The operator's token for /admin and /metrics. Empty: the one that was made at first start."),
  })
  .prefault({})
  .describe("The operator's own access.")

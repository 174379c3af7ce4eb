/** Options that several commands share. */
export const configArgument = {
  config: {
    type: 'string',
    valueHint: 'FILE',
    description: 'the configuration file; default: ./rialto.yaml, where there is one',
  },
} as const

export const jsonArgument = {
  json: { type: 'boolean', description: 'print one JSON value on stdout and nothing else there' },
} as const

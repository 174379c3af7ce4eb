import { randomBytes } from 'node:crypto'

/** Texts that must never be seen in a log or in an error: a test that meets one of them outside its place fails. */
export interface PlantedSecrets {
  /** Sent to engines, and nowhere else. */
  readonly engineKey: string
  /** RIALTO_SECRET */
  readonly gatewaySecret: string
  /** RIALTO_ADMIN_TOKEN */
  readonly operatorToken: string
  /** Stands in every prompt that the client makes up. */
  readonly prompt: string
  /** Stands in every text that the default engine answers with. */
  readonly answer: string
}

export function plantSecrets(): PlantedSecrets {
  const canary = (name: string) => `${name}-canary-${randomBytes(12).toString('hex')}`
  return {
    engineKey: canary('sk-engine'),
    gatewaySecret: canary('secret'),
    operatorToken: canary('operator'),
    prompt: canary('prompt'),
    answer: canary('answer'),
  }
}

/** Names the secrets that a text holds. */
export function findSecrets(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []))
}

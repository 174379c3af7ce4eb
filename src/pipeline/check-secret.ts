import { hashSecretText } from '../domain/identity/api-key.ts'
import type { IdentityStore } from '../domain/identity/identity-store.ts'
import { equalsConstantTime } from '../lib/constant-time.ts'

const verifierSetting = 'secret_verifier'
/** What is hashed under the secret tells nothing about it but whether two are the same. */
const verifierText = 'rialto: the secret of this installation'

/**
 * Keys are stored hashed under the secret, so that under another one none of them would be known. The first gateway on a
 * store notes which secret it was; a store from before that is believed to have this one.
 * @throws Error with a text for the operator when the store belongs to another secret
 */
export async function checkSecret(identity: IdentityStore, secret: Buffer): Promise<void> {
  const verifier = verifierOf(secret)
  if (equalsConstantTime(await identity.keepSetting(verifierSetting, verifier), verifier)) return
  throw new Error(
    'The store was made under another secret, under which its keys are hashed: start this gateway with the RIALTO_SECRET,' +
      ' or the secret.key in the data folder, that the others have. If that one is lost for good, every key has to be made' +
      ' anew: `rialto key accept-secret` binds the store to the present secret.',
  )
}

/** Binds the store to this secret. Keys and stored answers from under another one cannot be used any more. */
export async function acceptSecret(identity: IdentityStore, secret: Buffer): Promise<void> {
  await identity.writeSetting(verifierSetting, verifierOf(secret))
}

function verifierOf(secret: Buffer): string {
  return hashSecretText(verifierText, secret).toString('hex')
}

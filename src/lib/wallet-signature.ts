import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

const signatureText = /^0x[0-9a-fA-F]{130}$/
/** The last byte tells which of two keys made it: 27 and 28 in old ways of writing, 0 and 1 in others. */
const recoveryBase = 27
const compactBytes = 64
const addressBytes = 20

/**
 * The address whose wallet signed a text (EIP-191, `personal_sign`), in lower case; null for a signature that nobody can
 * have made. Whoever compares it with an address that was claimed knows whether that one signed.
 */
export function recoverSigner(text: string, signature: string): string | null {
  if (!signatureText.test(signature)) return null
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const last = bytes[compactBytes] ?? 0
  const recovery = last >= recoveryBase ? last - recoveryBase : last
  if (recovery > 1) return null
  try {
    const recovered = Buffer.concat([Buffer.of(recovery), bytes.subarray(0, compactBytes)])
    const parsed = secp256k1.Signature.fromBytes(recovered, 'recovered')
    return addressOf(parsed.recoverPublicKey(digestOf(text)).toBytes(false))
  } catch {
    // The library throws for numbers that are on no curve: then there is no key, and so no signer.
    return null
  }
}

/** Of an uncompressed public key. */
function addressOf(publicKey: Uint8Array): string {
  return `0x${Buffer.from(keccak_256(publicKey.subarray(1)))
    .subarray(-addressBytes)
    .toString('hex')}`
}

/** The prefix keeps a signed text from ever being a transaction. */
function digestOf(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  return keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]))
}

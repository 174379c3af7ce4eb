import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

export interface Wallet {
  /** With `0x`, in lower case. */
  readonly address: string
  /** EIP-191, as wallets sign texts for people: `0x` and 130 hexadecimal digits. */
  sign(text: string): string
}

/** A wallet with a key of its own. */
export function createWallet(): Wallet {
  const { secretKey, publicKey } = secp256k1.keygen()
  const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  return {
    address: `0x${hex(keccak_256(uncompressed.subarray(1)).subarray(-20))}`,
    sign(text) {
      const bytes = Buffer.from(text)
      const message = Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes])
      const signature = secp256k1.sign(keccak_256(message), secretKey, { prehash: false, format: 'recovered' })
      return `0x${hex(signature.subarray(1))}${hex(Uint8Array.of(27 + (signature[0] ?? 0)))}`
    },
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

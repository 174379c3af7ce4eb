/** Chance as a port. `hex(16)` gives 32 hexadecimal characters of 16 random bytes. */
export interface Random {
  bytes(count: number): Buffer
  hex(byteCount: number): string
}

import { decodeChat } from '../../dialects/venym/decode-chat.ts'
import { venymEncoder } from '../../dialects/venym/encode-answer.ts'
import type { CompletionDialect } from '../completion-route.ts'

/** `POST /v1/chat/completions` (venym.md §2, §3). */
export const venymChat: CompletionDialect = {
  surface: 'venym',
  route: '/v1/chat/completions',
  spendsAllCurrencies: false,
  judgeCredentials: () => undefined,
  refuseEncryption: () => undefined,
  openChat: body => ({
    budgetNames: () => null,
    decode: () => ({ request: decodeChat(body), encoder: venymEncoder }),
  }),
  countedAs: () => null,
  encoder: venymEncoder,
}

import { judgeCredentials } from '../../dialects/venice/decode/judge-credentials.ts'
import { refuseEncryption } from '../../dialects/venice/decode/refuse-encryption.ts'
import { createVeniceEncoder } from '../../dialects/venice/encode/encode-answer.ts'
import { veniceErrors } from '../../dialects/venice/encode/encode-error.ts'
import { countedAs } from '../../dialects/venice/error-budget.ts'
import { openChat } from '../../dialects/venice/open-chat.ts'
import type { CompletionDialect } from '../completion-route.ts'

/** `POST /api/v1/chat/completions` (venice.md §1, §2). */
export const veniceChat: CompletionDialect = {
  surface: 'venice',
  route: '/api/v1/chat/completions',
  spendsAllCurrencies: true,
  judgeCredentials,
  refuseEncryption,
  openChat(body) {
    const opened = openChat(body)
    return {
      budgetNames: opened.budgetNames,
      decode(names) {
        const { request, settings } = opened.decode(names)
        return { request, encoder: createVeniceEncoder(settings) }
      },
    }
  },
  countedAs,
  encoder: veniceErrors,
}

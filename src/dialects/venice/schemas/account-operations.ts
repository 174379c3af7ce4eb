import { requestId } from '../../openapi/headers.ts'
import type { FailureStatus, Operation } from '../../openapi/operation.ts'
import { analyticsQuery } from '../decode/decode-analytics.ts'
import { historyQuery } from '../decode/decode-history.ts'
import { changeSchema, deletedSchema, keySchema } from '../decode/decode-key.ts'
import { walletKeySchema } from '../decode/decode-wallet-key.ts'
import { usageAnalytics } from './analytics.ts'
import { balance, usageHistory, usageHistoryCsv } from './billing.ts'
import { json } from './json-answer.ts'
import { changedKey, deletedKey, keyList, newKey, oneKey, walletToken } from './keys.ts'
import { rateLimitLog, rateLimits } from './rate-limits.ts'

const failures: readonly FailureStatus[] = [400, 401, 402, 404, 405, 408, 413, 415, 429, '4XX', 500, 503]

const ofAdmin = { tag: 'Keys', access: 'admin', failures } as const
const ofBilling = { tag: 'Billing', access: 'admin', failures } as const
const ofWallet = {
  tag: 'Keys',
  access: 'public',
  failures: [400, 403, 404, 405, 408, 413, 415, 429, '4XX', 500, 503],
} as const

const keys = '/api/v1/api_keys'

/** What an account sees and changes of its own (venice.md §5.3, §6, §14). */
export const accountOperations: readonly Operation[] = [
  {
    method: 'get',
    path: keys,
    id: 'listKeys',
    summary: 'The keys of the account.',
    ...ofAdmin,
    answers: json(keyList),
  },
  {
    ...{ method: 'post', path: keys, id: 'createKey', summary: 'Make a key.', ...ofAdmin },
    body: { schema: keySchema, required: true },
    answers: json(newKey),
  },
  {
    ...{ method: 'patch', path: keys, id: 'changeKey', summary: 'Change a key.', ...ofAdmin },
    body: { schema: changeSchema, required: true },
    answers: json(changedKey),
  },
  {
    ...{ method: 'delete', path: keys, id: 'deleteKey', summary: 'Revoke a key, named in the query or the body.' },
    ...ofAdmin,
    query: deletedSchema,
    body: { schema: deletedSchema, required: false },
    answers: json(deletedKey),
  },
  {
    ...{ method: 'get', path: `${keys}/{id}`, id: 'getKeyById', summary: 'One key.', ...ofAdmin },
    variables: { id: 'The key’s id, a UUID.' },
    answers: json(oneKey),
  },
  {
    ...{
      method: 'get',
      path: `${keys}/rate_limits`,
      id: 'getRateLimits',
      summary: 'Balances, and the rates of each model.',
    },
    ...{ tag: 'Keys', access: 'key', failures },
    answers: json(rateLimits),
  },
  {
    ...{ method: 'get', path: `${keys}/rate_limits/log`, id: 'getRateLimitLog', summary: 'When rates were exceeded.' },
    ...ofAdmin,
    answers: json(rateLimitLog),
  },
  {
    ...{
      method: 'get',
      path: `${keys}/generate_web3_key`,
      id: 'getWalletToken',
      summary: 'A text for a wallet to sign.',
    },
    ...ofWallet,
    answers: json(walletToken),
  },
  {
    ...{
      method: 'post',
      path: `${keys}/generate_web3_key`,
      id: 'createWalletKey',
      summary: 'A key for a wallet that signed.',
    },
    ...ofWallet,
    body: { schema: walletKeySchema, required: true },
    answers: json(newKey),
  },
  {
    ...{
      method: 'get',
      path: '/api/v1/billing/balance',
      id: 'getBalance',
      summary: 'What the account has.',
      ...ofBilling,
    },
    answers: json(balance),
  },
  {
    ...{
      method: 'get',
      path: '/api/v1/billing/usage-history',
      id: 'getUsageHistory',
      summary: 'Every charge, page by page.',
    },
    ...ofBilling,
    query: historyQuery,
    headers: { accept: '`text/csv` asks for a table.' },
    answers: {
      200: {
        description: 'A page. The cursor of the next one is sent alone.',
        headers: { ...requestId, 'x-next-cursor': 'The cursor of the next page, beside a table.' },
        content: { 'application/json': usageHistory, 'text/csv': usageHistoryCsv },
      },
    },
  },
  {
    ...{
      method: 'get',
      path: '/api/v1/billing/usage-analytics',
      id: 'getUsageAnalytics',
      summary: 'Sums by day, model and key.',
    },
    ...ofBilling,
    query: analyticsQuery,
    answers: json(usageAnalytics),
  },
  {
    ...{
      method: 'get',
      path: '/api/v1/billing/usage',
      id: 'getRetiredUsage',
      summary: 'Retired: see the usage history.',
    },
    ...{ tag: 'Billing', access: 'public', answers: {}, failures: [405, 410, 429, '4XX', 503] },
  },
]

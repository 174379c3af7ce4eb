import { expect, it } from 'vitest'
import { isUnreadHost } from './unread-hosts.ts'

it.each([
  ...['https://x.com/a', 'https://X.COM/a', 'https://x.com./a', 'https://x.com../a', 'https://www.reddit.com/'],
  ...['https://ｘ.com/', 'https://x。com/', 'https://a@x.com/', 'ftp://a.example/', 'x.com'],
])('%s is not read, however it is spelt', address => {
  expect(isUnreadHost(address)).toBe(true)
})

it.each(['https://fedex.com/', 'https://x.com.example/', 'https://a.example/x.com'])('%s is read', address => {
  expect(isUnreadHost(address)).toBe(false)
})

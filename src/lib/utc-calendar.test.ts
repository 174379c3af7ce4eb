import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utcDayStart, utcMonthStart, utcWeekStart } from './utc-calendar.ts'

const text = (atMs: number) => new Date(atMs).toISOString()
const sunday = Date.parse('2026-11-29T23:59:59.999Z')

describe('the UTC calendar', () => {
  it('begins a day at midnight, a week on Monday and a month on its first day', () => {
    expect(text(utcDayStart(sunday))).toBe('2026-11-29T00:00:00.000Z')
    expect(text(utcWeekStart(sunday))).toBe('2026-11-23T00:00:00.000Z')
    expect(text(utcMonthStart(sunday))).toBe('2026-11-01T00:00:00.000Z')
  })

  it('begins the next period at its very first millisecond', () => {
    expect(text(utcDayStart(sunday + 1))).toBe('2026-11-30T00:00:00.000Z')
    expect(text(utcWeekStart(sunday + 1))).toBe('2026-11-30T00:00:00.000Z')
    expect(text(utcMonthStart(Date.parse('2024-03-01T00:00:00Z')))).toBe('2024-03-01T00:00:00.000Z')
    expect(text(utcMonthStart(Date.parse('2024-02-29T23:59:59Z')))).toBe('2024-02-01T00:00:00.000Z')
  })

  it('agrees with the calendar of dates for any time', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }), date => {
        const day = new Date(utcDayStart(date.getTime()))
        expect(day.toISOString()).toBe(`${date.toISOString().slice(0, 10)}T00:00:00.000Z`)
        const week = new Date(utcWeekStart(date.getTime()))
        expect(week.getUTCDay()).toBe(1)
        expect(date.getTime() - week.getTime()).toBeLessThan(7 * 86_400_000)
        expect(date.getTime()).toBeGreaterThanOrEqual(week.getTime())
        const month = new Date(utcMonthStart(date.getTime()))
        expect(month.toISOString()).toBe(`${date.toISOString().slice(0, 7)}-01T00:00:00.000Z`)
      }),
    )
  })
})

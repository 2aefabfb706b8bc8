/** Dates in the person's language. */

export function formatDay(iso: string, locale: string): string {
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleDateString(locale, { day: "numeric", month: "short", ...(isThisYear ? {} : { year: "numeric" }) });
}

/** The period of a memory in ISO 8601: a day, a month, a year, or the first and the last of several. */
export function formatPeriod(period: string, locale: string): string {
  const parts = period.split("/").map((part) => {
    const [year, month, day] = part.split("-").map(Number);
    if (!month) return String(year);
    return day ? formatDay(`${part}T12:00`, locale) : formatMonth(year!, month, locale);
  });
  return parts.join(" – ");
}

/** Today where the person is, as an ISO date. */
export function localToday(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

export function formatMoment(iso: string, locale: string): string {
  return new Date(iso).toLocaleString(locale, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

export function formatMonth(year: number, month: number, locale: string): string {
  return new Date(year, month - 1, 1).toLocaleDateString(locale, { month: "long", year: "numeric" });
}

/** The last day of a month, as an ISO date. */
export function lastDayOf(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

export function formatRange(start: string, end: string, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
  return format.formatRange(new Date(`${start}T12:00`), new Date(`${end}T12:00`));
}

/** Formats a measured value for a document: with a true minus, and without one before a value that rounds to zero. */
export function formatNumber(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

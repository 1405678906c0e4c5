/** A measured value on paper: with a true minus, and with none before what rounds to nothing. */
export function figureText(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

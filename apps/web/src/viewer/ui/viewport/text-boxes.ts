/** The rectangle that text covers in a viewport, in CSS pixels. */
export interface TextBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const overlaps = (one: TextBox, other: TextBox): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Estimates the width of a text: letters are `letter` wide, East Asian characters `square`. */
export const estimateTextWidth = (text: string, letterWidth: number, wideCharacterWidth: number): number =>
  [...text].reduce((sum, sign) => sum + (sign > "\u2e7f" ? wideCharacterWidth : letterWidth), 0);

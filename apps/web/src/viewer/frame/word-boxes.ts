/** The rectangle that text covers in a viewport, in CSS pixels. */
export interface WordBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const meet = (one: WordBox, other: WordBox): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Estimates the width of a text: letters are `letter` wide, East Asian characters `square`. */
export const breadthOf = (words: string, letter: number, square: number): number =>
  [...words].reduce((sum, sign) => sum + (sign > "\u2e7f" ? square : letter), 0);

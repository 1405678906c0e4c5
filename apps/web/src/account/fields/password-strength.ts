/** 0: nothing typed; 1 weak, 2 fair, 3 good, 4 strong. */
export type Strength = 0 | 1 | 2 | 3 | 4;

/**
 * Estimates how long a password would resist guessing, by its length and its character classes. Repetitions and
 * keyboard sequences add nothing. This is only a hint: the server's list of common passwords decides what is rejected.
 */
export function estimateStrength(password: string): Strength {
  if (password === "") return 0;
  const bits = effectiveLength(password) * Math.log2(countAlphabet(password));
  return bits < 32 ? 1 : bits < 48 ? 2 : bits < 66 ? 3 : 4;
}

const keyboardRows = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];
const isSequence = (pair: string): boolean =>
  keyboardRows.some((row) => row.includes(pair) || row.includes([...pair].toReversed().join("")));

/** A character counts for a quarter if it repeats the previous one or is next to it on the keyboard. */
function effectiveLength(password: string): number {
  const letters = [...password.toLowerCase()];
  const counted = letters.map((letter, at) => {
    const before = letters[at - 1];
    return before !== undefined && (before === letter || isSequence(before + letter)) ? 0.25 : 1;
  });
  const different = new Set(letters).size;
  return Math.min(
    counted.reduce((sum, one) => sum + one, 0),
    different * 2,
  );
}

function countAlphabet(password: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^\w]|_/, 33],
  ];
  return kinds.reduce((sum, [kind, size]) => (kind.test(password) ? sum + size : sum), 0) || 10;
}

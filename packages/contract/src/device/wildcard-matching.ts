/**
 * `*` matches any characters, `?` one (PS3.4 C.2.2.2.4). It backtracks to the last star only, so that no external
 * pattern takes long: a regular expression with eight stars took half a minute for one name.
 */
export function matchesWildcards(pattern: string, text: string): boolean {
  const [patternCharacters, textCharacters] = [[...pattern], [...text]];
  let [patternIndex, lastStar, resumeAt] = [0, -1, 0];
  for (let textIndex = 0; textIndex < textCharacters.length;) {
    if (patternCharacters[patternIndex] === "*") {
      [lastStar, resumeAt] = [patternIndex, textIndex];
      patternIndex += 1;
    } else if (
      patternCharacters[patternIndex] === "?" ||
      patternCharacters[patternIndex] === textCharacters[textIndex]
    ) {
      patternIndex += 1;
      textIndex += 1;
    } else if (lastStar >= 0) {
      resumeAt += 1;
      [patternIndex, textIndex] = [lastStar + 1, resumeAt];
    } else return false;
  }
  return patternCharacters.slice(patternIndex).every((character) => character === "*");
}

/**
 * `*` matches any characters, `?` one (PS3.4 C.2.2.2.4). It backtracks to the last star only, so that no external
 * pattern takes long: a regular expression with eight stars took half a minute for one name.
 */
export function matchesWildcards(pattern: string, text: string): boolean {
  const [wanted, letters] = [[...pattern], [...text]];
  let [at, star, resume] = [0, -1, 0];
  for (let place = 0; place < letters.length;) {
    if (wanted[at] === "*") {
      [star, resume] = [at, place];
      at += 1;
    } else if (wanted[at] === "?" || wanted[at] === letters[place]) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      resume += 1;
      [at, place] = [star + 1, resume];
    } else return false;
  }
  return wanted.slice(at).every((letter) => letter === "*");
}

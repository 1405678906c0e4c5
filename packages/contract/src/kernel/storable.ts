type Path = (string | number)[];

/**
 * Returns the path of the first text in an external value that PostgreSQL cannot store: U+0000, or half of a surrogate
 * pair. Field names count too, because records are stored with the names that they came with. The walk keeps its own
 * stack: a body of 2 MB may be nested a million levels deep.
 */
export function unstorable(value: unknown): Path | null {
  const left: { value: unknown; path: Path }[] = [{ value, path: [] }];
  for (let one = left.pop(); one; one = left.pop()) {
    if (typeof one.value === "string" && !isStorable(one.value)) return one.path;
    if (typeof one.value !== "object" || one.value === null) continue;
    for (const [name, inner] of Object.entries(one.value)) {
      if (!isStorable(name)) return one.path;
      // Deeper than any field of a call the path names the field above: its length must not grow with the depth.
      left.push({ value: inner, path: one.path.length < mostDeep ? [...one.path, name] : one.path });
    }
  }
  return null;
}
const mostDeep = 20;

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

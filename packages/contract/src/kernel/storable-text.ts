type Path = (string | number)[];

/**
 * Returns the path of the first text in an external value that PostgreSQL cannot store: U+0000, or half of a surrogate
 * pair. Field names count too, because records are stored with the names that they came with. The walk keeps its own
 * stack: a body of 2 MB may be nested a million levels deep.
 */
export function findUnstorablePath(value: unknown): Path | null {
  const pending: { value: unknown; path: Path }[] = [{ value, path: [] }];
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    if (typeof entry.value === "string" && !isStorable(entry.value)) return entry.path;
    if (typeof entry.value !== "object" || entry.value === null) continue;
    for (const [name, child] of Object.entries(entry.value)) {
      if (!isStorable(name)) return entry.path;
      // Deeper than any field of a call the path names the field above: its length must not grow with the depth.
      pending.push({ value: child, path: entry.path.length < maxPathDepth ? [...entry.path, name] : entry.path });
    }
  }
  return null;
}
const maxPathDepth = 20;

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

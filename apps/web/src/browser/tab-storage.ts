/** Reads what this tab keeps until it is closed; undefined where storage is refused. */
export function readTabValue(name: string): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(name)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value for this tab, or removes it; where storage is refused, the page alone remembers. */
export function writeTabValue(name: string, value: string | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(keyOf(name));
    else sessionStorage.setItem(keyOf(name), value);
  } catch {
    // The value ends with the page.
  }
}

const keyOf = (name: string): string => `arcada.${name}`;

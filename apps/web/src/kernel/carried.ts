const key = "arcada.account";

/** What was typed goes along to the next sign-in page; not in the address, where it would be kept and logged. */
export function carryAccount(account: string): void {
  try {
    sessionStorage.setItem(key, account);
  } catch {
    // Storage is refused: then it is typed again.
  }
}

export function carriedAccount(): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

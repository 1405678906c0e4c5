const storageKey = "arcada.setup";

/**
 * Returns the secret of the link. It is removed from the address at once, because history and screens would keep it; the
 * tab keeps it over a reload.
 */
export function readSetupSecret(): string {
  const hash = location.hash.slice(1);
  try {
    if (hash !== "") {
      sessionStorage.setItem(storageKey, hash);
      history.replaceState(history.state, "", location.pathname + location.search);
    }
    return sessionStorage.getItem(storageKey) ?? "";
  } catch {
    return hash;
  }
}

export function forgetSetupSecret(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Without storage nothing was kept.
  }
}

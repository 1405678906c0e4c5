const storageKey = "arcada.invitation";

/**
 * Returns the secret of the link in the email. It is removed from the address at once, because history and screens
 * would keep it. The tab keeps it during sign-in or registration.
 */
export function readSecret(): string {
  const hash = location.hash.slice(1);
  try {
    if (hash !== "") {
      sessionStorage.setItem(storageKey, hash);
      history.replaceState(history.state, "", location.pathname + location.search);
    }
    return sessionStorage.getItem(storageKey) ?? "";
  } catch {
    // Without storage the address is the only place that survives the sign-in.
    return hash;
  }
}

const key = "arcada.invitation";

/**
 * Returns the secret of the link in the email. It is removed from the address at once, because history and screens
 * would keep it. The tab keeps it during sign-in or registration.
 */
export function takeSecret(): string {
  const given = location.hash.slice(1);
  try {
    if (given !== "") {
      sessionStorage.setItem(key, given);
      history.replaceState(history.state, "", location.pathname + location.search);
    }
    return sessionStorage.getItem(key) ?? "";
  } catch {
    // Without storage the address is the only place that survives the sign-in.
    return given;
  }
}

const key = "arcada.invitation";

/**
 * The secret of the letter's link. It leaves the address at once, where history and screens would keep it; the tab keeps
 * it for the way through sign-in or registration and back.
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
    // Storage is refused: then the address is the only place that outlives the way through the sign-in.
    return given;
  }
}

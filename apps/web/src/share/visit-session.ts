import { setVisit } from "../kernel/visit.ts";

const keys = { secret: "arcada.share", visit: "arcada.visit" };

/**
 * Returns the secret of the link. It is removed from the address at once, because history and screens would keep it.
 * The tab keeps it for a reload.
 */
export function takeSecret(): string {
  const given = location.hash.slice(1);
  if (given === "") return read(keys.secret);
  // Another link in the same tab starts another guest session.
  if (given !== read(keys.secret)) keepVisit("");
  keep(keys.secret, given);
  history.replaceState(history.state, "", location.pathname + location.search);
  return given;
}

export const takeVisit = (): string => {
  const visit = read(keys.visit);
  setVisit(visit);
  return visit;
};
export function keepVisit(visit: string): void {
  setVisit(visit);
  keep(keys.visit, visit);
}

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}
function keep(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // Storage is unavailable: the guest session lasts as long as the page.
  }
}

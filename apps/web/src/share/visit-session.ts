import { setVisit } from "../kernel/visit.ts";

const keys = { secret: "arcada.share", visit: "arcada.visit" };

/**
 * The secret of the link. It leaves the address at once, where history and screens would keep it; the tab keeps it, so
 * that a reload goes on.
 */
export function takeSecret(): string {
  const given = location.hash.slice(1);
  if (given === "") return read(keys.secret);
  // Another link in the same tab begins another visit.
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
    // Storage is refused: the visit lasts as long as the page.
  }
}

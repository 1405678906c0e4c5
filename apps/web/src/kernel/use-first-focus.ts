import { useEffect, useRef } from "react";
import { firstField } from "./focus.ts";

/** Whoever is led from one form to the next types at once: its first field has the focus. */
export function useFirstFocus<E extends HTMLElement>() {
  const place = useRef<E>(null);
  useEffect(() => firstField(place.current)?.focus(), []);
  return place;
}

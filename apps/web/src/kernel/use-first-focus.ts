import { useEffect, useRef } from "react";
import { firstField } from "./focus.ts";

/** Focuses the first field of a form when it appears: a user who is led from one form to the next can type at once. */
export function useFirstFocus<E extends HTMLElement>() {
  const place = useRef<E>(null);
  useEffect(() => firstField(place.current)?.focus(), []);
  return place;
}
